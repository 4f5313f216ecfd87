// The check of dense keys that map emits.
#pragma once

#include "core/error.hpp"

#include <cstdint>
#include <typeinfo>

namespace duomap::cpu {

/// @throws map_failed naming the task and the range when `key` is not below `keys`, the task's key_count()
template <class Task>
void require_dense_key(std::uint64_t key, std::uint64_t keys) {
  if (key >= keys) [[unlikely]]
    throw_key_out_of_range(typeid(Task).name(), key, keys);
}

}  // namespace duomap::cpu
