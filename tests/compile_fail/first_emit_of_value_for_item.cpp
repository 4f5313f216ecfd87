// first error: map emits what its task does not take: expected emit.key, item.
#include "tests/compile_fail/item_task.hpp"

struct add_sizes : counts_of_sizes {
  using item_type = std::uint32_t;
  DUOMAP_HD sizes identity() const { return {}; }
  DUOMAP_HD void add(sizes& into, std::uint32_t size) const { ++into.counts[size % 32]; }
};

struct refused {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = add_sizes;
  DUOMAP_HD void map(duomap::byte_view /*word*/, auto& emit) const { emit(sizes{}); }
};

static_assert(duomap::require_task<refused>());
