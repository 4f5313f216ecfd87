// Explains the steps of an iterative job.
#include "apps/report/explanation.hpp"

#include "scheduler/report/explain.hpp"

namespace duomap::apps {

run_explanation explanation_of_steps(const iterative_report& steps) {
  return {.lines = scheduler::explain(steps), .account = steps.account};
}

}  // namespace duomap::apps
