// first error: map emits what its task does not take: expected emit.duomap::slot<I>, value.
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = duomap::slots<duomap::sum<std::uint64_t>>;
  void map(duomap::byte_view word, auto& emit) const { emit(duomap::slot<1>, word.size); }
};

static_assert(duomap::require_task<refused>());
