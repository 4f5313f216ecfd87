// first error: the task's reduction has an item_type, and its items cannot be added: expected
#include "tests/compile_fail/item_task.hpp"

struct add_sizes : counts_of_sizes {
  using item_type = duomap::byte_view;
  DUOMAP_HD sizes identity() const { return {}; }
  DUOMAP_HD void add(sizes& into, duomap::byte_view word) const { ++into.counts[word.size % 32]; }
};

struct refused {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = add_sizes;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word); }
};

static_assert(duomap::require_task<refused>());
