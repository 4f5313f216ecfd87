// expect: two promises now: max_emits_per_record, and keys_within_record
#pragma GCC diagnostic error "-Wdeprecated-declarations"
#include "core/task_members.hpp"

#include <cstdint>

struct old_promise {
  static constexpr std::uint64_t emits_within_record = 2;
};
static_assert(duomap::max_emits_of<old_promise> == 2);
