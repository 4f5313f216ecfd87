// expect: satisf(y|action of) [^ ]*reduction_gives_reduce
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <functional>

struct refused {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = duomap::top_k<std::uint64_t, std::greater<>>;
  reduce reduction() { return {.k = 10}; }
  void map(duomap::byte_view word, auto& emit) const { emit(word.size); }
};

static_assert(duomap::map_reduce_task<refused>);
