// The emitters that map calls: the same emit(key, value) on every backend and engine.
#pragma once

#include "core/key.hpp"
#include "core/reduce.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace duomap {

// map has the type of the emitter as a template parameter. A table, a dense array, a collector and a GPU's
// counting pass each have an emitter with the same call operators. So one map works with all, without virtual
// calls:
//   hashed keys        emit(key, value)
//   dense keys         emit(index, value)
//   no key             emit(value)
//   slots              emit(slot<I>, value)
// A map of a whole chunk may emit under many consecutive dense keys: emit_block() below does that faster.

namespace detail {

/// Is always false. A static_assert of it fails only when the compiler instantiates its template.
template <class...>
inline constexpr bool never = false;

/// The call operators that an emitter must have for this key and reduction.
template <class Key, class Reduction>
struct emit_calls;

template <class Reduction>
struct emit_calls<no_key, Reduction> {
  DUOMAP_HD void operator()(const emit_type<Reduction>&) const {}
};

template <class Reduction>
struct emit_calls<dense, Reduction> {
  DUOMAP_HD void operator()(std::uint64_t, const emit_type<Reduction>&) const {}
};

template <hashed_key Key, class Reduction>
struct emit_calls<Key, Reduction> {
  DUOMAP_HD void operator()(const Key&, const emit_type<Reduction>&) const {}
};

template <std::size_t I, class... R>
struct emit_of_slot {};
template <std::size_t I, class... R>
  requires(I < sizeof...(R))
struct emit_of_slot<I, R...> : emit_of<std::tuple_element_t<I, std::tuple<R...>>> {};

template <class... R>
struct emit_calls<no_key, slots<R...>> {
  template <std::size_t I>
  DUOMAP_HD void operator()(std::integral_constant<std::size_t, I>,
                            const typename emit_of_slot<I, R...>::type&) const {}
};

/// Takes any list in braces, so that a list that makes no value gets an error message of duomap.
struct any_list {
  template <class... Any>
  DUOMAP_HD any_list(Any&&...) {}  // NOLINT: implicit, because a list in braces calls it
};

}  // namespace detail

/// An emitter that does nothing. map must compile with it before a backend is chosen. A call with wrong
/// arguments ends in an error message that says so. It cannot be copied, as the emitters of backends cannot.
template <class Key, class Reduction>
struct any_emitter : detail::emit_calls<Key, Reduction> {
  using calls = detail::emit_calls<Key, Reduction>;
  using calls::operator();

  any_emitter() = default;
  any_emitter(const any_emitter&) = delete;
  any_emitter& operator=(const any_emitter&) = delete;

  template <class... Arguments>
    requires(!std::is_invocable_v<const calls&, Arguments...>)
  DUOMAP_HD void operator()(Arguments&&...) const { refuse<Arguments...>(); }

  // These functions catch lists in braces, which the template above cannot take. They are templates, so that
  // the compiler prefers a right call.
  template <class Any = void>
  DUOMAP_HD void operator()(const Key&, detail::any_list) const requires hashed_key<Key> {
    refuse<Any>();
  }
  template <class Any = void>
  DUOMAP_HD void operator()(std::uint64_t, detail::any_list) const requires std::is_same_v<Key, dense> {
    refuse<Any>();
  }
  template <class Any = void>
  DUOMAP_HD void operator()(detail::any_list) const requires std::is_same_v<Key, no_key> {
    refuse<Any>();
  }

 private:
  template <class... Arguments>
  DUOMAP_HD static void refuse() {
    if constexpr (takes_items<Reduction>) {
      static_assert(detail::never<Arguments...>,
                    "map emits what its task does not take: expected emit(key, item), or emit(item) without "
                    "a key, the item of the type reduce::item_type");
    } else if constexpr (detail::is_slots<Reduction>) {
      static_assert(detail::never<Arguments...>,
                    "map emits what its task does not take: expected emit(duomap::slot<I>, value), the "
                    "value of the type value_type of reduction I");
    } else if constexpr (std::is_same_v<Key, no_key>) {
      static_assert(detail::never<Arguments...>,
                    "map emits what its task does not take: expected emit(value) because its key is "
                    "no_key, the value of the type reduce::value_type");
    } else if constexpr (std::is_same_v<Key, dense>) {
      static_assert(detail::never<Arguments...>,
                    "map emits what its task does not take: expected emit(index, value) because its key "
                    "is dense, the index a whole number, the value of the type reduce::value_type");
    } else {
      static_assert(detail::never<Arguments...>,
                    "map emits what its task does not take: expected emit(key, value), the key of the "
                    "task's type 'key', the value of the type reduce::value_type");
    }
  }
};

/// Does emit(first + i, values[i]) for each i below `count`, at once if the emitter has a function block().
#if defined(__CUDACC__)
#pragma nv_exec_check_disable  // only the CPU calls emitters of the CPU
#endif
template <class Emitter, class Number>
DUOMAP_HD void emit_block(Emitter& emit, std::uint64_t first, const Number* values, std::uint64_t count) {
  if constexpr (requires { emit.block(first, values, count); }) {
    emit.block(first, values, count);
  } else {
    for (std::uint64_t i = 0; i < count; ++i) emit(first + i, values[i]);
  }
}

}  // namespace duomap
