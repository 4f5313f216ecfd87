// first error: has more than 256 KiB, and stands on the stack of each worker
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  char table[1 << 20];
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::require_task<refused>());
