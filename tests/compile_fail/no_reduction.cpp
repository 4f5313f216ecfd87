// expect: satisf(y|action of) [^ ]*names_reduction
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::map_reduce_task<refused>);
