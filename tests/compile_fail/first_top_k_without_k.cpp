// first error: the task keeps the best values, and does not say how many: expected 'reduce reduction
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>
#include <functional>

struct refused {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = duomap::top_k<std::uint64_t, std::greater<>>;
  void map(duomap::byte_view word, auto& emit) const { emit(word.size); }
};

static_assert(duomap::require_task<refused>());
