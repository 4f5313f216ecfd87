// An emitter that records all emits.
// host only
#pragma once

#include "core/key.hpp"
#include "core/reduce.hpp"
#include "core/verify/value_text.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace duomap {

/// The emits of a map, in order. To compare two runs of map, it has the text of each key and the bytes of
/// each value. To try the laws of reductions, it has the values or items of each reduction.
template <class Task>
class recording_emitter {
  template <class R>
  struct values_of {
    using type = std::tuple<std::vector<emit_type<R>>>;
  };
  template <class... R>
  struct values_of<slots<R...>> {
    using type = std::tuple<std::vector<emit_type<R>>...>;
  };

 public:
  using value_lists = typename values_of<typename Task::reduce>::type;
  template <std::size_t I>
  using value_type = typename std::tuple_element_t<I, value_lists>::value_type;

  /// One emit, for comparisons and for messages.
  struct emit {
    std::string key;
    std::string value;
    friend bool operator==(const emit&, const emit&) = default;
  };

  // Not for slots, because the number of a slot would pass as a key.
  void operator()(const result_key<typename Task::key>& key,
                  const value_type<0>& value) requires(!detail::is_slots<typename Task::reduce>) {
    keys_.push_back(key);
    add<0>(value_text(key), value);
  }
  void operator()(const value_type<0>& value) { add<0>("", value); }
  template <std::size_t I>
  void operator()(std::integral_constant<std::size_t, I> /*slot*/, const value_type<I>& value) {
    add<I>("slot " + std::to_string(I), value);
  }

  [[nodiscard]] const std::vector<emit>& emits() const noexcept { return emits_; }
  /// The keys of all emits, if the task has keys, in the order of emits(). A key of variable length is a
  /// view, whose bytes may be gone if map made them.
  [[nodiscard]] const std::vector<result_key<typename Task::key>>& keys() const noexcept { return keys_; }
  [[nodiscard]] const value_lists& values() const noexcept { return values_; }

 private:
  template <std::size_t I>
  void add(std::string key, const value_type<I>& value) {
    emits_.push_back({std::move(key), value_text(value)});
    // Views are not kept, because their bytes end with the record. No law is tried on them.
    if constexpr (!std::is_same_v<value_type<I>, byte_view>) std::get<I>(values_).push_back(value);
  }

  std::vector<emit> emits_;
  std::vector<result_key<typename Task::key>> keys_;
  value_lists values_;
};

}  // namespace duomap
