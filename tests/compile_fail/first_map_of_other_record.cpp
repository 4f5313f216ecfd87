// first error: the task's map does not take a record of its format
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map(int, auto& emit) const { emit("", 1); }
};

static_assert(duomap::require_task<refused>());
