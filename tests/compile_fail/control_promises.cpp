// compiles
// The promises of a task about its emits, and names of the version before.
#include "core/run_options.hpp"
#include "core/task_members.hpp"

#include <concepts>
#include <cstdint>

struct count_alone {
  static constexpr std::uint64_t max_emits_per_record = 3;
};
static_assert(duomap::max_emits_of<count_alone> == 3);
static_assert(!duomap::keys_are_within_record<count_alone>);

struct both_promises {
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;
};
static_assert(duomap::max_emits_of<both_promises> == 1);
static_assert(duomap::keys_are_within_record<both_promises>);

struct no_promise {};
static_assert(duomap::max_emits_of<no_promise> == 0);
static_assert(!duomap::keys_are_within_record<no_promise>);

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static_assert(std::same_as<duomap::job_options, duomap::run_options>);
