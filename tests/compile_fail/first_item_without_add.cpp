// first error: the task's reduction has an item_type, and its items cannot be added: expected
#include "tests/compile_fail/item_task.hpp"

struct add_sizes : counts_of_sizes {
  using item_type = std::uint32_t;
  DUOMAP_HD sizes identity() const { return {}; }
};

static_assert(duomap::require_task<sizes_of_words<add_sizes>>());
