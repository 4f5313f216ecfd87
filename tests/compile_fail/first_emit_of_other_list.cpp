// first error: map emits what its task does not take: expected emit.key, value.
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::argmax<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, {word.size, word}); }
};

static_assert(duomap::require_task<refused>());
