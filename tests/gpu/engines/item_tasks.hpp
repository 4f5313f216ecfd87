// Declares tasks that emit items and have GPU code (tests/gpu/engines/item_tasks.cu).
#pragma once

#include "gpu/make_backend.hpp"
#include "tests/conformance/item_tasks.hpp"

namespace duomap::gpu {

template <class Key, class Reduce>
inline constexpr bool has_code<test::items_of_words<Key, Reduce>> = DUOMAP_HAS_CUDA;
template <class Key, class Reduce>
inline constexpr bool has_code<test::items_of_numbers<Key, Reduce>> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool has_code<test::item_slots> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
