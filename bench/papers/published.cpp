// Holds the published figures as constants.
#include "bench/papers/published.hpp"

#include <array>

namespace duomap::apps {
namespace {

constexpr std::string_view one_core_then =
    "The paper's sequential program ran on one core of 2012 and its GPU had 240 processors; few cores of "
    "today cannot be so many times one of them. What exceeds their number is vector instructions and "
    "containers made for the task.";
constexpr std::string_view cheap_map =
    "The map is a handful of instructions for each row, so that memory is what limits every device; the "
    "paper also paid for sorting its lists of candidates.";
constexpr std::string_view mapcg =
    "MapCG itself is no part of duomap. What stands for it is the reduction object without tables in shared "
    "memory, which adds each emit to one hash table in device memory as MapCG does; caches for device memory "
    "and its atomic operations were slower, or missing, then.";
constexpr std::string_view no_mapcg =
    "MapCG is no part of duomap, and this task runs on an engine whose tables cannot be left out.";
constexpr std::string_view ji_and_ma =
    "Ji and Ma's framework is no part of duomap. What stands for it is the sort engine, which stores and "
    "shuffles what is emitted before it reduces.";
constexpr std::string_view no_ji =
    "Ji and Ma's framework is no part of duomap, and the sort engine, which shuffles as theirs does, does "
    "not run this task.";

}  // namespace

std::span<const published_result> published_results_of_mars() {
  using enum published_over;
  static constexpr auto bound_by_reading =
      "Both read the text once and do little with it: the link to the GPU is the limit, and was then.";
  static constexpr auto no_bar = "The paper's text gives no height for its bar.";
  static constexpr auto range = "between 1.5 and 16 times as fast, as all six applications";
  static constexpr std::array all = {
      published_result{
          "Figure 4", "string match", "128 MB", all_cores, {}, "slightly faster", bound_by_reading},
      published_result{
          "Figure 4", "inverted index", "64 MB", all_cores, {}, "slightly faster", bound_by_reading},
      published_result{
          "Figure 4", "similarity score", "2048", all_cores, 4, "more than 4 times as fast",
          "Phoenix on four cores of 2008 passed every pair through its general containers; duomap's cores "
          "do tiles of products by vector instructions, so that a GPU has more to beat."},
      published_result{
          "Figure 4", "matrix multiplication", "2048", all_cores, 4, "more than 4 times as fast",
          "duomap multiplies by OpenBLAS on cores and by cuBLAS on GPUs, where both of the paper's "
          "programs were loops."},
      published_result{"Figure 4", "page view count", "96 MB", all_cores, {}, range, no_bar},
      published_result{"Figure 4", "page view rank", "96 MB", all_cores, {}, range, no_bar},
      published_result{"Figure 9", "similarity score", "2048", gpu_alone, std::nullopt,
                       "an insignificant improvement",
                       "What co-processing can bring is the slower device's part of both speeds."},
  };
  return all;
}

std::span<const published_result> published_results_of_chen_agrawal() {
  using enum published_over;
  static constexpr std::array all = {
      published_result{"Figure 4", "k-means, k = 100", "1,000,000 points", sequential, 180, "nearly 180",
                       one_core_then},
      published_result{"Figure 4", "word count, 90 distinct words", "87.5 MB", sequential, 200, "around 200",
                       one_core_then},
      published_result{"Figure 4", "naive Bayes", "104 MB", sequential, 50, "close to 50", one_core_then},
      published_result{"Figure 4", "nearest neighbours, k = 20", "1,000,000 points", sequential, 3.6, "3.6",
                       cheap_map},
      published_result{"Figure 4", "principal components", "1,048,576 x 32", sequential, 24, "24",
                       one_core_then},
      published_result{"Figure 5", "word count, 90 distinct words", "87.5 MB", other_system, 90,
                       "about 90 over MapCG", mapcg, equivalent_mode::no_tables},
      published_result{"Figure 5", "naive Bayes", "104 MB", other_system, 90, "about 90 over MapCG", mapcg,
                       equivalent_mode::no_tables},
      published_result{"Figure 5", "page view count", "176 MB", other_system, 5, "5 over MapCG", mapcg,
                       equivalent_mode::no_tables},
      published_result{"Figure 6", "nearest neighbours, k = 20", "1,000,000 points", other_system, 3,
                       "3 on the average over MapCG", no_mapcg},
      published_result{"Figure 6", "matrix multiplication", "2048", other_system, 1,
                       "almost the same as MapCG", no_mapcg},
      published_result{"Figure 6", "principal components", "1,048,576 x 32", other_system, 1,
                       "almost the same as MapCG", no_mapcg},
      published_result{"Figure 7", "word count, 90 distinct words", "87.5 MB", other_system, 56,
                       "56 over Ji and Ma", ji_and_ma, equivalent_mode::sort_engine},
      published_result{"Figure 7", "k-means, k = 20", "1,000,000 points", other_system, 6,
                       "more than 6 over Ji and Ma", no_ji},
      published_result{"Figure 7", "k-means, k = 40", "1,000,000 points", other_system, 6,
                       "more than 6 over Ji and Ma", no_ji},
      published_result{"Figure 7", "k-means, k = 100", "1,000,000 points", other_system, 6,
                       "more than 6 over Ji and Ma", no_ji},
      published_result{"Figure 7", "matrix multiplication", "2048", other_system, 2, "about 2 over Ji and Ma",
                       no_ji},
  };
  return all;
}

std::span<const best_groups> best_groups_of_chen_agrawal() {
  static constexpr std::array all = {
      best_groups{"k-means, k = 20", 2},
      best_groups{"k-means, k = 40", 1},  // 2 groups took the same time
      best_groups{"k-means, k = 100", 1},
      best_groups{"nearest neighbours, k = 20", 4},
      best_groups{"word count, 90 distinct words", 4},
      best_groups{"naive Bayes", 0},
      best_groups{"page view count", 4},
  };
  return all;
}

std::span<const published_reduction> reductions_of_catanzaro() {
  // The best time of the largest array is as printed, although it is below the best time of a quarter of the
  // elements.
  static constexpr std::array all = {
      published_reduction{65'536, 0.02316e-3, 0.08373e-3},
      published_reduction{8'388'608, 0.08992e-3, 0.8453e-3},
      published_reduction{33'554'432, 0.03140e-3, 1.8689e-3},
  };
  return all;
}

std::span<const published_times> svm_times_of_catanzaro() {
  static constexpr std::array all = {
      published_times{"training", "Adult", 36.312, 550.178},
      published_times{"training", "Web", 181.334, 2422.469},
      published_times{"training", "MNIST", 525.783, 16965.794},
      published_times{"training", "USPS", 0.733, 5.092},
      published_times{"training", "Forest", 13360.785, 66523.538},
      published_times{"training", "Face", 2.57, 27.61},
      published_times{"classification", "Adult", 0.57, 75.65},
      published_times{"classification", "Web", 1.069, 144.53},
      published_times{"classification", "MNIST", 1.98, 258.751},
      published_times{"classification", "USPS", 0.0097, 1.194},
      published_times{"classification", "Face", 0.706, 109.259},
  };
  return all;
}

}  // namespace duomap::apps
