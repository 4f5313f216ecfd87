// Makes intervals from the shares of a split or from the believed speeds of devices.
#include "scheduler/dispatch/dispatcher/interval_shares.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstddef>

namespace duomap::scheduler {

std::vector<double> interval_shares(const std::vector<executor_config>& all, const dispatch_options& how) {
  if (how.rule == dispatch_rule::split) {
    expects(how.shares.size() == all.size(), "a split has one share for each executor");
    return how.shares;
  }
  std::vector<double> shares(all.size(), 0.0);
  // Each device gets an interval in proportion to its speed, or all get equal ones if a speed is not known.
  const bool known =
      std::all_of(all.begin(), all.end(), [](const auto& one) { return !one.device || one.model.known(); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].device) shares[i] = known ? 1 / all[i].model.seconds_per_grain : 1;
  }
  return shares;
}

}  // namespace duomap::scheduler
