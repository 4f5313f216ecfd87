// Reads the affinity mask and the quota, and takes the smallest limit on cores.
#include "cpu/cores.hpp"

#include "cpu/affinity.hpp"
#include "cpu/cgroup.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>

namespace duomap::cpu {
namespace {

unsigned online_cores() {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? static_cast<unsigned>(online) : std::max(1U, std::thread::hardware_concurrency());
}

std::string of(unsigned cores) { return " of " + std::to_string(cores) + (cores == 1 ? " core" : " cores"); }

/// Writes a number with at most two decimals and no zeros at the end: 2, 2.5, 0.25.
std::string decimal(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", number);
  std::string shown = text;
  while (shown.back() == '0') shown.pop_back();
  if (shown.back() == '.') shown.pop_back();
  return shown;
}

}  // namespace

core_count bound_cores(const core_limits& limits) {
  core_count bound{std::max(1U, limits.online), {}};
  bound.reason = bound.cores == 1 ? "the only core" : "all " + std::to_string(bound.cores) + " cores";

  const unsigned affinity = std::max(1U, limits.affinity);
  if (affinity < bound.cores) {
    bound = {affinity, "affinity mask: " + std::to_string(affinity) + of(bound.cores)};
  }
  if (limits.quota && *limits.quota < static_cast<double>(bound.cores)) {
    const auto whole = static_cast<unsigned>(std::max(1.0, std::floor(*limits.quota)));
    bound = {whole, "cgroup quota: " + decimal(*limits.quota) + of(bound.cores)};
  }
  if (limits.user != 0 && limits.user < bound.cores) {
    bound = {limits.user, "asked for: " + std::to_string(limits.user) + of(bound.cores)};
  }
  return bound;
}

core_count usable_cores(unsigned user_limit, const std::filesystem::path& root) {
  core_limits limits;
  limits.online = online_cores();
  const auto allowed = allowed_cpus();
  limits.affinity = allowed.empty() ? limits.online : static_cast<unsigned>(allowed.size());
  limits.quota = read_cgroup_cores(root);
  limits.user = user_limit;
  return bound_cores(limits);
}

}  // namespace duomap::cpu
