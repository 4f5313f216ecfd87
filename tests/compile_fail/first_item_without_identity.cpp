// first error: the task's reduction has an item_type, and its items cannot be added: expected
#include "tests/compile_fail/item_task.hpp"

struct add_sizes : counts_of_sizes {
  using item_type = std::uint32_t;
  DUOMAP_HD void add(sizes& into, std::uint32_t size) const { ++into.counts[size % 32]; }
};

static_assert(duomap::require_task<sizes_of_words<add_sizes>>());
