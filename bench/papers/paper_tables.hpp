// Makes tables of measured experiments: the programs beside each other and beside a paper's results.
// host only
#pragma once

#include "bench/harness/bench_table.hpp"
#include "bench/papers/measured.hpp"
#include "bench/papers/published.hpp"

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

/// The texts of a table without rows.
struct table_head {
  std::string name;
  std::string title;
  std::string subject;
};

/// All rows of all experiments; speed-ups are over the sequential program.
[[nodiscard]] bench_table table_of_all(const table_head& head, std::span<const measured_experiment> all);

/// Takes the rows of `programs` from each experiment; speed-ups are over the first of these programs. If the
/// paper gives a factor over the first program, the rows of the others show the factor as a figure. For the
/// largest measured size, a note below the table gives the published result and its hardware, the result
/// here, and the likely reason for the difference.
[[nodiscard]] bench_table table_beside_published(const table_head& head,
                                                 std::span<const measured_experiment> all,
                                                 std::span<const program_on> programs,
                                                 const std::string& baseline,
                                                 std::span<const published_result> published,
                                                 published_over over, std::string_view machine);

/// A paper's claims to be faster than other systems. If a mode of duomap works like the other system, one row
/// measures this mode, and one row duomap's own choice with its speed-up over the mode, both at the largest
/// measured size. Otherwise a row says why the claim is not measured.
[[nodiscard]] bench_table table_of_other_systems(const table_head& head,
                                                 std::span<const measured_experiment> all,
                                                 std::span<const published_result> published);

/// Removes the rows of a program from a table.
void leave_out(bench_table& table, std::string_view program);

}  // namespace duomap::apps
