// expect: satisf(y|action of) [^ ]*fixed_size_key
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = double;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(static_cast<double>(word.size), 1); }
};

static_assert(duomap::map_reduce_task<refused>);
