#include "apps/bench/bench_context.hpp"

#include "core/config.hpp"
#include "core/error.hpp"

namespace duomap::apps {

void stop_if_cancelled(const run_control& control) {
  if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
}

void refuse_torture() {
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
}

}  // namespace duomap::apps
