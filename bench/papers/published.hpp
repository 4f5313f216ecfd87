// The figures that the founding papers published, as data: each with its place in the paper, its subject and
// its hardware.
// host only
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace duomap::apps {

/// The hardware of each paper.
namespace paper_machine {
inline constexpr std::string_view mars = "GeForce 8800 (128 processors, 1.35 GHz) and a 2.4 GHz Core 2 Quad";
inline constexpr std::string_view chen_agrawal =
    "Quadro FX 5800 (240 processors, 1.3 GHz) and a 2.6 GHz Opteron";
inline constexpr std::string_view catanzaro =
    "GeForce 8800 GTX (128 processors, 1.35 GHz) and a 2.66 GHz Core 2 Duo";
}  // namespace paper_machine

/// The program that a published factor compares with.
enum class published_over {
  sequential,    ///< a program of one thread
  all_cores,     ///< a program of the same kind on all cores of the CPU
  gpu_alone,     ///< the same task on the GPU alone
  other_system,  ///< another framework for GPUs, which is not part of duomap
};

/// The mode of duomap that works like another framework and stands in for it.
enum class equivalent_mode {
  none,
  no_tables,    ///< MapCG: one hash table in device memory and none in shared memory
  sort_engine,  ///< Ji and Ma's framework: stores and shuffles emits before it reduces them
};

/// A factor that a paper prints: how many times as fast its program was.
struct published_result {
  std::string_view place;    ///< "Figure 4"
  std::string_view subject;  ///< as in planned_experiment
  std::string_view size;     ///< the size of the paper's data
  published_over over;
  std::optional<double> factor;  ///< as printed, 4 for "more than 4"; empty if the paper gives words only
  std::string_view printed;      ///< "nearly 180"
  std::string_view because;      ///< likely reason for the distance to today's measurement; sentences
  equivalent_mode by = equivalent_mode::none;  ///< for other_system only
};

/// He et al., "Mars: A MapReduce Framework on Graphics Processors", PACT 2008. A bar whose height the text
/// does not give has no factor.
[[nodiscard]] std::span<const published_result> published_results_of_mars();

/// Chen and Agrawal, "Optimizing MapReduce for GPUs with Effective Shared Memory Usage", HPDC 2012. Leaves
/// out bars whose heights the text does not give.
[[nodiscard]] std::span<const published_result> published_results_of_chen_agrawal();

/// The number of thread groups that was fastest (Chen & Agrawal, figure 3); 0 if it made no difference.
struct best_groups {
  std::string_view subject;
  unsigned groups;
};
[[nodiscard]] std::span<const best_groups> best_groups_of_chen_agrawal();

/// A row of table 1 of Catanzaro, Sundaram and Keutzer, "A Map Reduce Framework for Programming Graphics
/// Processors", STMCS 2008: the sum of an array of `elements` elements, by the best and the worst of three
/// kernels.
struct published_reduction {
  std::uint64_t elements;
  double best_seconds;
  double worst_seconds;
};
[[nodiscard]] std::span<const published_reduction> reductions_of_catanzaro();

/// A row of Catanzaro's tables 2 (training) and 3 (classification): seconds on a GPU, and of LIBSVM on a CPU.
struct published_times {
  std::string_view task;
  std::string_view data_set;
  double gpu_seconds;
  double libsvm_seconds;
};
[[nodiscard]] std::span<const published_times> svm_times_of_catanzaro();

}  // namespace duomap::apps
