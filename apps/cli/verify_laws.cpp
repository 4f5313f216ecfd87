// Reports the laws that --verify has checked, and refuses a task that breaks one.
#include "apps/cli/verify_laws.hpp"

#include "apps/cli/console.hpp"
#include "core/error.hpp"

#include <string>

namespace duomap::apps {

void report_laws(const std::vector<law_check>& checks, bool quiet) {
  const law_check* broken = nullptr;
  for (const law_check& check : checks) {
    if (!quiet && !check.found.empty()) {
      say(check.law + ": " + check.found);
    } else if (!quiet) {
      say("law '" + check.law + "': " +
          (!check.holds()      ? "broken"
           : check.trials == 0 ? "not tried, the input gave nothing to try it on"
           : check.trials == 1 ? "holds in 1 trial"
                               : "holds in " + std::to_string(check.trials) + " trials"));
    }
    if (!check.holds() && broken == nullptr) broken = &check;
  }
  if (broken != nullptr) {
    throw broken_law("the task breaks the law '" + broken->law + "': " + printable(broken->counterexample) +
                     "; its results would depend on threads, devices and chunk sizes, so nothing was run");
  }
}

}  // namespace duomap::apps
