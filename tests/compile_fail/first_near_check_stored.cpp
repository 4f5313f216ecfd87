// first error: stored_check, which is not read: expected 'void
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  void checkStored(duomap::byte_view word, std::uint64_t value, const auto& check) const;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::require_task<refused>());
