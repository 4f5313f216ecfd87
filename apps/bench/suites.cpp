// The list of all suites.
#include "apps/bench/application_suites.hpp"
#include "apps/bench/suite.hpp"
#include "apps/papers/papers_suite.hpp"

#include <array>

namespace duomap::apps {

std::span<const suite* const> all_suites() {
  static const std::array suites = {&papers_suite(), &cpu_suite(), &coexec_suite()};
  return suites;
}

}  // namespace duomap::apps
