// Declares counts_of_sizes, to which each test of items adds its mistake.
#pragma once

#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <array>
#include <cstdint>

struct sizes {
  std::array<std::uint32_t, 32> counts;
};

/// A reduction without items.
struct counts_of_sizes {
  using value_type = sizes;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  DUOMAP_HD sizes operator()(const sizes& a, const sizes& b) const {
    sizes all = a;
    for (std::uint32_t i = 0; i < 32; ++i) all.counts[i] += b.counts[i];
    return all;
  }
};

/// The sizes of words, reduced so.
template <class Reduce>
struct sizes_of_words {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = Reduce;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const {
    emit(static_cast<std::uint32_t>(word.size));
  }
};
