// Makes the options of a chained run.
#include "scheduler/chained_run.hpp"

#include "scheduler/dispatch/execute.hpp"

namespace duomap::scheduler {

std::shared_ptr<const execute_options> chained_how(const run_options& options) {
  execute_options how;
  how.timeline = options.timeline;
  return std::make_shared<const execute_options>(std::move(how));
}

}  // namespace duomap::scheduler
