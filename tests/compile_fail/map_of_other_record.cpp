// expect: satisf(y|action of) [^ ]*maps_records
#include "core/record/lines.hpp"
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map(const duomap::line& record, auto& emit) const { emit(record.text, 1); }
};

static_assert(duomap::map_reduce_task<refused>);
