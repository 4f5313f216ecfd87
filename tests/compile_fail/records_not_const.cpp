// expect: satisf(y|action of) [^ ]*records_gives_format
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  duomap::words records() { return {.lower_case = true}; }
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::map_reduce_task<refused>);
