// first error: map emits a key with a fraction, and the keys of its task are whole numbers
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = std::int32_t;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(static_cast<double>(word.size) / 2, 1); }
};

static_assert(duomap::require_task<refused>());
