// Allocates large arrays without writing to them, so that the threads that fill an array touch its pages
// first.
// host only
#pragma once

#include "core/zeroed_memory.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace duomap {

/// Memory of allocate_zeroed(), in huge pages if it is large. A vector leaves new elements as they are, zero
/// or arbitrary, so each page is first touched by the thread that fills it.
template <class T>
struct untouched_allocator {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "values that are collected are trivially copyable, as numbers and structs of numbers are");
  using value_type = T;

  untouched_allocator() = default;
  template <class U>
  explicit(false) untouched_allocator(const untouched_allocator<U>& /*other*/) noexcept {}

  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(allocate_zeroed(count * sizeof(T), "an array").release());
  }
  void deallocate(T* memory, std::size_t count) noexcept { free_zeroed{count * sizeof(T)}(memory); }

  void construct(T* /*at*/) noexcept {}
  template <class... Arguments>
  void construct(T* at, Arguments&&... arguments) {
    std::construct_at(at, std::forward<Arguments>(arguments)...);
  }

  friend bool operator==(const untouched_allocator&, const untouched_allocator&) noexcept { return true; }
};

}  // namespace duomap
