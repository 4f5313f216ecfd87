// What the founding papers published, as data: each figure with its place, what it is of, and on which
// hardware.
// host only
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace duomap::apps {

/// The hardware of a paper.
namespace paper_machine {
inline constexpr std::string_view mars = "GeForce 8800 (128 processors, 1.35 GHz) and a 2.4 GHz Core 2 Quad";
inline constexpr std::string_view chen_agrawal =
    "Quadro FX 5800 (240 processors, 1.3 GHz) and a 2.6 GHz Opteron";
inline constexpr std::string_view catanzaro =
    "GeForce 8800 GTX (128 processors, 1.35 GHz) and a 2.66 GHz Core 2 Duo";
}  // namespace paper_machine

/// What a published factor is over.
enum class published_over {
  sequential,    ///< a program of one thread
  all_cores,     ///< the same framework's kind of program on all cores of the CPU
  gpu_alone,     ///< the same task on the GPU alone
  other_system,  ///< another framework for GPUs, which is not part of duomap
};

/// How duomap can do what another framework does, if it can: what stands in for that framework.
enum class stand_in {
  none,
  no_tables,    ///< one hash table in device memory, none in shared memory: MapCG
  sort_engine,  ///< emits stored and shuffled before they are reduced: Ji and Ma's framework
};

/// A factor that a paper prints: how many times as fast its program was.
struct published_result {
  std::string_view place;    ///< "Figure 4"
  std::string_view subject;  ///< as a planned_experiment calls it; nothing of results for all
  std::string_view size;     ///< of the paper's data
  published_over over;
  std::optional<double> factor;  ///< as printed, of "more than 4" the 4; nothing: in words only
  std::string_view printed;      ///< "nearly 180"
  std::string_view because;      ///< likely reason for the distance to what is measured today; sentences
  stand_in by = stand_in::none;  ///< of other_system
};

/// He et al., "Mars: A MapReduce Framework on Graphics Processors", PACT 2008. Bars whose heights the text
/// does not give are left out.
[[nodiscard]] std::span<const published_result> published_results_of_mars();

/// Chen and Agrawal, "Optimizing MapReduce for GPUs with Effective Shared Memory Usage", HPDC 2012. As above.
[[nodiscard]] std::span<const published_result> published_results_of_chen_agrawal();

/// The number of groups of threads that was fastest (Chen & Agrawal, figure 3); 0: no difference.
struct best_groups {
  std::string_view subject;
  unsigned groups;
};
[[nodiscard]] std::span<const best_groups> best_groups_of_chen_agrawal();

/// A row of table 1 of Catanzaro, Sundaram and Keutzer, "A Map Reduce Framework for Programming Graphics
/// Processors", STMCS 2008: a sum over an array of so many elements by the best and the worst of three
/// kernels.
struct published_reduction {
  std::uint64_t elements;
  double best_seconds;
  double worst_seconds;
};
[[nodiscard]] std::span<const published_reduction> reductions_of_catanzaro();

/// A row of their tables 2 (training) and 3 (classification): seconds, LIBSVM's on the CPU.
struct published_times {
  std::string_view task;
  std::string_view data_set;
  double gpu_seconds;
  double libsvm_seconds;
};
[[nodiscard]] std::span<const published_times> svm_times_of_catanzaro();

}  // namespace duomap::apps
