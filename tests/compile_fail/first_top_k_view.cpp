// first error: the task keeps values that are views
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct longer {
  bool operator()(duomap::byte_view a, duomap::byte_view b) const { return a.size > b.size; }
};

struct refused {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = duomap::top_k<duomap::byte_view, longer>;
  void map(duomap::byte_view word, auto& emit) const { emit(word); }
};

static_assert(duomap::require_task<refused>());
