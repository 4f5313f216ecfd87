// first error: the task's map is not const: expected 'DUOMAP_HD void map.RECORD record, auto& emit. const'
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  std::uint64_t seen = 0;
  void map(duomap::byte_view word, auto& emit) { emit(word, ++seen); }
};

static_assert(duomap::require_task<refused>());
