// first error: map emits what its task does not take: expected emit.index, value.
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::dense;
  using reduce = duomap::sum<std::uint64_t>;
  static std::uint64_t key_count() { return 9; }
  void map(duomap::byte_view word, auto& emit) const { emit(word.size); }
};

static_assert(duomap::require_task<refused>());
