// The list of all suites.
#include "apps/bench/harness/suite.hpp"
#include "apps/bench/papers/papers_suite.hpp"
#include "apps/bench/suites/application_suites.hpp"

#include <array>

namespace duomap::apps {

std::span<const suite* const> all_suites() {
  static const std::array suites = {&papers_suite(), &cpu_suite(), &coexec_suite()};
  return suites;
}

}  // namespace duomap::apps
