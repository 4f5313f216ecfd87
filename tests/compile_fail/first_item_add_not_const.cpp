// first error: the task's reduction has an item_type, and its items cannot be added: expected
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <array>
#include <cstdint>

struct sizes {
  std::array<std::uint32_t, 32> counts;
};

struct add_sizes {
  using value_type = sizes;
  using item_type = std::uint32_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  DUOMAP_HD sizes identity() const { return {}; }
  DUOMAP_HD sizes operator()(const sizes& a, const sizes& b) const {
    sizes all = a;
    for (std::uint32_t i = 0; i < 32; ++i) all.counts[i] += b.counts[i];
    return all;
  }
  DUOMAP_HD void add(sizes& into, std::uint32_t size) { ++into.counts[size % 32]; }
};

struct refused {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = add_sizes;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const {
    emit(static_cast<std::uint32_t>(word.size));
  }
};

static_assert(duomap::require_task<refused>());
