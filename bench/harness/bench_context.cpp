// Names devices and lists numbers of threads.
#include "bench/harness/bench_context.hpp"

#include "core/config.hpp"
#include "core/error.hpp"

namespace duomap::apps {

void refuse_torture() {
  if (torture) throw usage_error("a torture build measures nothing; use the preset release or cpu");
}

std::string device_text(device_choice choice) {
  switch (choice) {
    case device_choice::automatic:
      return "auto";
    case device_choice::cpu:
      return "cpu";
    case device_choice::gpu:
      return "gpu";
    case device_choice::cpu_gpu:
      return "cpu+gpu";
  }
  return "";
}

std::vector<unsigned> thread_counts(unsigned cores) {
  std::vector<unsigned> all;
  for (unsigned threads = 1; threads < cores; threads *= 2) all.push_back(threads);
  all.push_back(cores);
  return all;
}

}  // namespace duomap::apps
