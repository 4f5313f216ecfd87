// Which partial a task has: the common currency of all backends.
// host only
#pragma once

#include "core/partial/collected.hpp"
#include "core/partial/dense.hpp"
#include "core/partial/keyed.hpp"
#include "core/partial/slots.hpp"
#include "core/partial/top.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <type_traits>

namespace duomap {

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
  using type = top_partial<V, Better>;
};

}  // namespace detail

/// The partial of a task.
template <map_reduce_task Task>
using partial_for = typename detail::partial_of<typename Task::key, typename Task::reduce>::type;

/// What a backend has found that was given no chunk.
template <map_reduce_task Task>
[[nodiscard]] partial_for<Task> empty_partial([[maybe_unused]] const Task& task) {
  if constexpr (std::is_constructible_v<partial_for<Task>, std::uint64_t>) {
    return partial_for<Task>(dense_key_count(task));
  } else {
    return {};
  }
}

}  // namespace duomap
