// The task: a user writes it once, and it runs on every device.
#pragma once

#include "core/chunk.hpp"
#include "core/emitter.hpp"
#include "core/error.hpp"
#include "core/key.hpp"
#include "core/reduce.hpp"
#include "core/task_members.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <typeinfo>

#if defined(__CUDA_ARCH__)
#include <cstdlib>
#include <new>
// Makes map's use of the heap an error: on a GPU all maps together have 8 MB, then they get null, and answers
// are wrong. These declarations exist only in code for GPUs, so functions of the host allocate as usual.
#define DUOMAP_REFUSED \
  [[gnu::unavailable(  \
      "map must not allocate: on a GPU it gets null when 8 MB are used; use arrays of fixed size")]]
DUOMAP_REFUSED DUOMAP_HD void* operator new(std::size_t);
DUOMAP_REFUSED DUOMAP_HD void* operator new[](std::size_t);
extern "C" DUOMAP_REFUSED DUOMAP_HD void* malloc(std::size_t) noexcept;
#undef DUOMAP_REFUSED
#endif

namespace duomap {

// A task says what to compute, and never where:
//
//   struct wordcount {
//     using format = duomap::words;               // record format (core/record/)
//     using key = duomap::byte_view;              // key kind (core/key.hpp)
//     using reduce = duomap::sum<std::uint64_t>;  // reduction, slots, collect or top_k (core/reduce.hpp)
//     DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
//   };
//
// docs/reference/task.md lists the members that a task may add: settings, promises, estimates, other kinds of
// map.
//
// map may call functions that are marked DUOMAP_HD; core/text/ has such functions for strings. map is pure:
// it may get a record twice (a GPU may count emits first; a device may fail), on any device, and must emit
// the same both times. The task object is read-only, and every device gets a copy of it. Small settings are
// members of the task. Arrays (centroids, weights, patterns) are members of type broadcast<T>, which a
// backend copies to its device.

/// A read-only array, of which every device gets a copy. The caller keeps the elements alive during the run.
template <class T>
struct broadcast {
  static_assert(std::is_trivially_copyable_v<T>, "broadcast elements are copied to devices as bytes");
  const T* data = nullptr;
  std::uint64_t size = 0;
  [[nodiscard]] DUOMAP_HD constexpr const T& operator[](std::uint64_t i) const { return data[i]; }
};

namespace detail {
// Converts to any broadcast<T>. core/task_members.hpp uses it to find members of such a type.
struct broadcast_member {
  template <class T>
  operator broadcast<T>() const;
};
}  // namespace detail

/// Concepts of a task, one per requirement, so that a compiler error names the missing one.
template <class F>
concept record_format = requires(const F f, byte_view b, std::uint64_t n) {
  typename F::record;
  { f.grain() } -> std::convertible_to<std::uint64_t>;
  { f.first_start(b, n, n) } -> std::convertible_to<std::uint64_t>;
  { f.last_start(b) } -> std::convertible_to<std::uint64_t>;
};

template <class T>
concept names_record_format = requires {
  typename T::format;
}
&&record_format<typename T::format>;

template <class T>
concept names_key_kind = requires {
  typename T::key;
}
&&usable_key<typename T::key>;

/// slots, collect and top_k replace a reduction: for them, sum<int> is checked, which passes. An `||` in the
/// concept would do the same, but then GCC would not name the members that a reduction lacks.
namespace detail {
template <class R>
using checked_reduction = std::conditional_t<is_slots<R> || is_collect<R> || is_top_k<R>, sum<int>, R>;
}  // namespace detail

template <class T>
concept names_reduction = requires {
  typename T::reduce;
}
&&reduction<detail::checked_reduction<typename T::reduce>>;

/// Values must not be views, because values live longer than the bytes of their records. Only
/// `collect<byte_view>` copies the bytes of its values.
namespace detail {
template <class R>
inline constexpr bool keeps_views = views_bytes<typename R::value_type>();
template <class... R>
inline constexpr bool keeps_views<slots<R...>> = (keeps_views<R> || ...);
template <>
inline constexpr bool keeps_views<collect<byte_view>> = false;

template <class R>
inline constexpr bool keeps_pointers = holds_pointer<typename R::value_type>();
template <class... R>
inline constexpr bool keeps_pointers<slots<R...>> = (keeps_pointers<R> || ...);

/// Records of an earlier result stay in memory, so values may point to them.
template <class T>
concept records_stay = requires {
  requires T::format::records_stay;
};
}  // namespace detail

template <class T>
concept values_own_their_bytes = names_reduction<T> && !detail::keeps_views<typename T::reduce> &&
                                 (detail::records_stay<T> || !detail::keeps_pointers<typename T::reduce>);

template <class T>
concept slots_have_no_key = names_reduction<T> &&
    (!detail::is_slots<typename T::reduce> || std::same_as<typename T::key, no_key>);

template <class T>
concept top_k_has_dense_or_no_key = names_reduction<T> &&
    (!detail::is_top_k<typename T::reduce> || !hashed_key<typename T::key>);

template <class T>
concept counts_dense_keys = names_key_kind<T> &&
    (!std::same_as<typename T::key, dense> || requires(const T t) {
      { t.key_count() } -> std::convertible_to<std::uint64_t>;
    });

/// Refuses an optional member that cannot be called (a forgotten const, a missing parameter). Otherwise
/// duomap would ignore it in silence.
template <class T>
concept records_gives_format = !requires(T t) {
  t.records();
}
|| requires(const T t) {
  { t.records() } -> std::convertible_to<typename T::format>;
};

template <class T>
concept reduction_gives_reduce = !requires(T t) {
  t.reduction();
}
|| requires(const T t) {
  { t.reduction() } -> std::convertible_to<typename T::reduce>;
};

template <class T>
concept finish_takes_key_and_value = !requires {
  &T::finish;
}
|| requires(const T t, const result_key<typename T::key>& key, const typename T::reduce::value_type& value) {
  t.finish(key, value);
};

/// The concepts check with this emitter whether map compiles.
template <class T>
using archetype_emitter = any_emitter<typename T::key, typename T::reduce>;

template <class T>
concept maps_records = names_record_format<T> && names_key_kind<T> && names_reduction<T> &&
    requires(const T t, const typename T::format::record& record, archetype_emitter<T>& emit) {
  t.map(record, emit);
};

template <class T>
concept maps_chunks = requires(const T t, const chunk& part, archetype_emitter<T>& emit) {
  t.map_chunk(part, emit);
};

template <class T>
concept maps_records_or_chunks = maps_records<T> || maps_chunks<T>;

/// Devices get a copy of the task's bytes. Arrays go to devices through broadcast<T>.
template <class T>
concept copyable_to_devices = std::is_trivially_copyable_v<T>;

/// A task that every backend can run.
template <class T>
concept map_reduce_task = names_record_format<T> && names_key_kind<T> && names_reduction<T> &&
    values_own_their_bytes<T> && slots_have_no_key<T> && top_k_has_dense_or_no_key<T> &&
    counts_dense_keys<T> && records_gives_format<T> && reduction_gives_reduce<T> &&
    finish_takes_key_and_value<T> && copyable_to_devices<T> && maps_records_or_chunks<T>;

/// A task whose reduction does not commute: the values of a key must be reduced in input order.
template <class T>
concept order_matters = reduction<typename T::reduce> && !T::reduce::commutative;

/// The task's record format, with the settings that records() gives.
template <class T>
[[nodiscard]] typename T::format format_of(const T& task) {
  if constexpr (requires { task.records(); }) {
    return task.records();
  } else {
    return typename T::format{};
  }
}

/// The task's reduction, with the settings that reduction() gives.
template <class T>
[[nodiscard]] typename T::reduce reduction_of(const T& task) {
  if constexpr (requires { task.reduction(); }) {
    return task.reduction();
  } else {
    return typename T::reduce{};
  }
}

/// The number of dense keys of a task; 1 for no_key.
/// @throws usage_error when no memory has room for a value per key
template <class Task>
[[nodiscard]] std::uint64_t dense_key_count(const Task& task) {
  if constexpr (std::same_as<typename Task::key, no_key>) {
    return 1;
  } else {
    const std::uint64_t keys = task.key_count();
    if (keys >> 47U != 0) [[unlikely]]  // more keys than a process has addresses
      throw_too_many_keys(typeid(Task).name(), keys);
    return keys;
  }
}

}  // namespace duomap
