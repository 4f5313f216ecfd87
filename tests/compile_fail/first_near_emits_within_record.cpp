// first error: emit_within_record, which is not read: expected 'static constexpr std::uint64_t
// max_emits_per_record'
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  static constexpr std::uint64_t emits_within_record = 1;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::require_task<refused>());
