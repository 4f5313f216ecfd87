// What map calls: the same emit(key, value) on every backend and engine.
#pragma once

#include "core/key.hpp"
#include "core/reduce.hpp"

#include <concepts>
#include <cstdint>

namespace duomap {

// The emitter is the template parameter of map. A thread-local table, a dense array, a collector, a counting
// pass on a GPU are different types with the same call operators, so that one map serves them all and none
// costs a virtual call:
//   hashed keys        emit(key, value)
//   dense keys         emit(index, value)
//   no key             emit(value)
//   slots              emit(slot<I>, value)
// Maps of whole chunks that emit under many dense keys in a row use emit_block() below.

/// An emitter that accepts anything: what map must compile against before any backend is chosen.
template <class Key, class Reduction>
struct any_emitter;

template <class Reduction>
struct any_emitter<no_key, Reduction> {
  DUOMAP_HD void operator()(const typename Reduction::value_type&) const {}
};

template <class Reduction>
struct any_emitter<dense, Reduction> {
  DUOMAP_HD void operator()(std::uint64_t, const typename Reduction::value_type&) const {}
};

template <hashed_key Key, class Reduction>
struct any_emitter<Key, Reduction> {
  DUOMAP_HD void operator()(const Key&, const typename Reduction::value_type&) const {}
};

template <class... R>
struct any_emitter<no_key, slots<R...>> {
  template <std::size_t I>
  DUOMAP_HD void operator()(std::integral_constant<std::size_t, I>,
                            const typename std::tuple_element_t<I, std::tuple<R...>>::value_type&) const {}
};

/// emit(first + i, values[i]) for each i below `count`: all at once where the emitter can.
template <class Emitter, class Number>
void emit_block(Emitter& emit, std::uint64_t first, const Number* values, std::uint64_t count) {
  if constexpr (requires { emit.block(first, values, count); }) {
    emit.block(first, values, count);
  } else {
    for (std::uint64_t i = 0; i < count; ++i) emit(first + i, values[i]);
  }
}

}  // namespace duomap
