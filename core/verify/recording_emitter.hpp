// An emitter that records the emits of map.
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

/// The emits of a map in order, each as the text of its key and the bytes of its value, which is enough to
/// compare two runs of a map, and the values or items of each reduction for trying its laws.
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

  /// One emit, for comparison and for messages.
  struct emit {
    std::string key;
    std::string value;
    friend bool operator==(const emit&, const emit&) = default;
  };

  // A slot's number would pass as a key.
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
  /// The keys of emits that have one; they are views into the mapped chunk.
  [[nodiscard]] const std::vector<result_key<typename Task::key>>& keys() const noexcept { return keys_; }
  [[nodiscard]] const value_lists& values() const noexcept { return values_; }

 private:
  template <std::size_t I>
  void add(std::string key, const value_type<I>& value) {
    emits_.push_back({std::move(key), value_text(value)});
    // Values that are views die with the record, and no law is tried on them.
    if constexpr (!std::is_same_v<value_type<I>, byte_view>) std::get<I>(values_).push_back(value);
  }

  std::vector<emit> emits_;
  std::vector<result_key<typename Task::key>> keys_;
  value_lists values_;
};

}  // namespace duomap
