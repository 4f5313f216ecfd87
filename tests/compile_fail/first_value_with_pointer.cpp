// first error: the task keeps values that are views .* or pointers
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct named {
  const char* name;
  std::uint64_t size;
};

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::keep_first<named>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, named{word.data, word.size}); }
};

static_assert(duomap::require_task<refused>());
