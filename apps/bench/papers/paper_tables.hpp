// Tables out of measured experiments: how they compare with each other and with what a paper published.
// host only
#pragma once

#include "apps/bench/harness/bench_table.hpp"
#include "apps/bench/papers/measured.hpp"
#include "apps/bench/papers/published.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

namespace on {
inline constexpr program_on sequential{"sequential", "cpu"};
inline constexpr program_on cpu{"duomap", "cpu"};
inline constexpr program_on gpu{"duomap", "gpu"};
inline constexpr program_on resident{resident_program, "gpu"};
inline constexpr program_on both{"duomap", "cpu+gpu"};
}  // namespace on

/// A table without rows.
struct table_head {
  std::string name;
  std::string title;
  std::string subject;
};

/// Every row of all experiments; speed-ups are over the sequential program.
[[nodiscard]] bench_table table_of_all(const table_head& head, std::span<const measured_experiment> all);

/// Of each experiment the rows of these programs, as far as it has them; speed-ups are over the first of
/// them. Where a paper has a factor over that, the others' rows have it as a figure; below the table stands,
/// for the largest size that was measured, what was published, on what hardware, what was found here, and the
/// likely reason.
[[nodiscard]] bench_table table_beside_published(const table_head& head,
                                                 std::span<const measured_experiment> all,
                                                 std::span<const program_on> programs,
                                                 const std::string& baseline,
                                                 std::span<const published_result> published,
                                                 published_over over, std::string_view machine);

/// Claims over other systems. Where a mode of duomap stands in for the other system, it and what duomap
/// chooses are rows, of the largest size that was measured, with speed-ups over the mode; else a row says why
/// not.
[[nodiscard]] bench_table table_of_other_systems(const table_head& head,
                                                 std::span<const measured_experiment> all,
                                                 std::span<const published_result> published);

/// Takes the rows of this program out of a table.
void leave_out(bench_table& table, std::string_view program);

}  // namespace duomap::apps
