// first error: the task has no record format: expected 'using format
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::require_task<refused>());
