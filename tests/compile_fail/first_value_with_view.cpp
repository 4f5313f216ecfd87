// first error: the task keeps values that are views
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct named {
  std::uint64_t count;
  duomap::byte_view name;
};

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::keep_first<named>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, named{1, word}); }
};

static_assert(duomap::require_task<refused>());
