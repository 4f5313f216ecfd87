// The type of a task's partial, which is the same for all backends. Code that makes or merges a partial must
// also include the header of its kind, or core/partial/all.hpp. host only
#pragma once

#include "core/task.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace duomap {

template <class V>
struct collected_partial;
template <class V>
class dense_partial;
template <class V>
struct keyed_partial;
template <class... R>
class slots_partial;
template <class V, class Better>
class best_values;

namespace detail {

template <class Key, class Reduction>
struct partial_of;

template <class Key, reduction R>
  requires(!R::commutative)
struct partial_of<Key, R> {
  using type = collected_partial<typename R::value_type>;
};

template <hashed_key Key, reduction R>
  requires(R::commutative)
struct partial_of<Key, R> {
  using type = keyed_partial<typename R::value_type>;
};

template <class Key, reduction R>
  requires(R::commutative && !hashed_key<Key>)
struct partial_of<Key, R> {
  using type = dense_partial<typename R::value_type>;
};

template <class... R>
struct partial_of<no_key, slots<R...>> {
  static_assert((R::commutative && ...),
                "slots need commutative reductions (argmin and argmax break ties by index)");
  using type = slots_partial<R...>;
};

template <class Key, class V>
struct partial_of<Key, collect<V>> {
  using type = collected_partial<V>;
};

template <class Key, class V, class Better>
  requires(!hashed_key<Key>)
struct partial_of<Key, top_k<V, Better>> {
  using type = std::vector<best_values<V, Better>>;  // top_partial
};

}  // namespace detail

template <map_reduce_task Task>
using partial_for = typename detail::partial_of<typename Task::key, typename Task::reduce>::type;

/// The partial of a backend that has mapped no chunk.
template <map_reduce_task Task>
[[nodiscard]] partial_for<Task> empty_partial([[maybe_unused]] const Task& task) {
  if constexpr (std::is_constructible_v<partial_for<Task>, std::uint64_t>) {
    return partial_for<Task>(dense_key_count(task));
  } else {
    return {};
  }
}

}  // namespace duomap
