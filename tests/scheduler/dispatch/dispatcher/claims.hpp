// Writes claims as text, and makes all claims of one worker.
#pragma once

#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"

#include <vector>

namespace duomap::test {

[[nodiscard]] inline bool takes(const scheduler::claim& one) {
  return one.then == scheduler::claim::what::take;
}
[[nodiscard]] inline bool waits(const scheduler::claim& one) {
  return one.then == scheduler::claim::what::wait;
}
[[nodiscard]] inline bool ends(const scheduler::claim& one) {
  return one.then == scheduler::claim::what::end;
}

/// Claims and finishes all grains as the only worker; returns the claims.
inline std::vector<scheduler::grain_range> take_all(scheduler::grain_dispatcher& all, unsigned index,
                                                    double now, double seconds = 1e-3) {
  std::vector<scheduler::grain_range> taken;
  while (true) {
    const scheduler::claim one = all.next(index, now);
    if (!takes(one)) return taken;
    taken.push_back(one.grains);
    now += seconds;
    all.finished(index, one.grains, seconds, now);
  }
}

}  // namespace duomap::test
