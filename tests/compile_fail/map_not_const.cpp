// expect: satisf(y|action of) [^ ]*maps_records
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  std::uint64_t seen = 0;
  void map(duomap::byte_view word, auto& emit) { emit(word, ++seen); }
};

static_assert(duomap::map_reduce_task<refused>);
