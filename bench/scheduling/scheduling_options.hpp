// The options of `duomap bench scheduling`.
// host only
#pragma once

#include "bench/harness/benchmark.hpp"
#include "bench/harness/comparison.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

struct scheduling_options {
  std::vector<std::string> paths;
  std::vector<std::string> tasks;
  std::vector<std::string> parts;
  std::vector<std::string> memory;
  std::vector<unsigned> ratios = {60, 4, 1};
  std::uint64_t smallest = std::uint64_t{1} << 16;
  std::uint64_t largest = 1'000'000'000;
  std::uint64_t seed = 1;
  bool policies = false;
  bool oracle = false;
  round_limits rounds;
  double longest_run = 2;
  std::string weak;
};

[[nodiscard]] inline bool has(const std::vector<std::string>& all, std::string_view one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace duomap::apps
