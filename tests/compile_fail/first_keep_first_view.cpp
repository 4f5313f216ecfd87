// first error: the task keeps values that are views
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::keep_first<duomap::byte_view>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, word); }
};

static_assert(duomap::require_task<refused>());
