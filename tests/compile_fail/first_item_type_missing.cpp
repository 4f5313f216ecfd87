// first error: the task's reduction has an add, which is not read because it has no item_type: expected
#include "tests/compile_fail/item_task.hpp"

struct add_sizes : counts_of_sizes {
  DUOMAP_HD sizes identity() const { return {}; }
  DUOMAP_HD void add(sizes& into, std::uint32_t size) const { ++into.counts[size % 32]; }
};

static_assert(duomap::require_task<sizes_of_words<add_sizes>>());
