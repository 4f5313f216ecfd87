// first error: map does not take a record of its format and an emitter: expected 'DUOMAP_HD void map.RECORD
// record, auto& emit. const'
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto emit) const { emit(word, 1); }
};

static_assert(duomap::require_task<refused>());
