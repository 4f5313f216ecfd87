// first error: the task's members cannot be used: expected 'struct' in place of 'class'
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

class refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::require_task<refused>());
