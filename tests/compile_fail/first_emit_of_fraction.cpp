// first error: map emits a number with a fraction, and the values of its task are whole numbers
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 0.5); }
};

static_assert(duomap::require_task<refused>());
