// The partial of slots: one value for each of several reductions.
// host only
#pragma once

#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap {

/// One value per slot. A slot is empty if map emitted nothing for it.
template <class... R>
class slots_partial {
 public:
  /// The type of the value in slot I.
  template <std::size_t I>
  using value_type = std::tuple_element_t<I, std::tuple<typename R::value_type...>>;

  template <std::size_t I>
  [[nodiscard]] const auto& get() const {
    return std::get<I>(values_);
  }

  template <std::size_t I>
  void reduce(const value_type<I>& value, const slots<R...>& ops) {
    auto& mine = std::get<I>(values_);
    mine = mine ? std::get<I>(ops.reductions)(*mine, value) : value;
  }

  template <std::size_t I>
  void fold(const emit_type<std::tuple_element_t<I, std::tuple<R...>>>& emitted, const slots<R...>& ops) {
    const auto& op = std::get<I>(ops.reductions);
    if (auto& mine = std::get<I>(values_)) {
      fold_emit(op, *mine, true, emitted);
    } else {
      mine = value_of_emit(op, emitted);
    }
  }

  void reduce(const slots_partial& other, const slots<R...>& ops) {
    reduce_each(other, ops, std::index_sequence_for<R...>{});
  }

 private:
  template <std::size_t... I>
  void reduce_each(const slots_partial& other, const slots<R...>& ops, std::index_sequence<I...>) {
    (..., (other.get<I>() ? reduce<I>(*other.get<I>(), ops) : void()));
  }

  std::tuple<std::optional<typename R::value_type>...> values_;
};

/// Merges partials of several workers or backends.
template <class Task, class... R>
[[nodiscard]] slots_partial<R...> merge_partials(std::vector<slots_partial<R...>> partials, const Task& task,
                                                 worker_pool& /*pool*/) {
  slots_partial<R...> merged = std::move(partials.front());
  for (std::size_t i = 1; i < partials.size(); ++i) merged.reduce(partials[i], reduction_of(task));
  return merged;
}

}  // namespace duomap
