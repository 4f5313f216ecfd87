// expect: satisf(y|action of) [^ ]*finish_takes_key_and_value
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
  double finish(std::uint64_t count) const { return static_cast<double>(count); }
};

static_assert(duomap::map_reduce_task<refused>);
