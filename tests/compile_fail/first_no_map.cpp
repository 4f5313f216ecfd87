// first error: the task has no map: expected 'DUOMAP_HD void map.RECORD record, auto& emit. const', RECORD
// being byte_view for words
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
};

static_assert(duomap::require_task<refused>());
