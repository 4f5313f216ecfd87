// first error: the task's map_chunk cannot be called: expected 'void map_chunk
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void map_chunk(const duomap::chunk&, auto&) {}
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::require_task<refused>());
