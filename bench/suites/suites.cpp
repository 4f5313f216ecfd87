// Lists all suites and defines the suite of the papers.
#include "bench/harness/suite.hpp"
#include "bench/papers/catanzaro.hpp"
#include "bench/papers/chen_agrawal.hpp"
#include "bench/papers/mars.hpp"
#include "bench/suites/application_suites.hpp"

#include <array>

namespace duomap::apps {

std::span<const suite* const> all_suites() {
  static const suite papers{
      .name = "papers",
      .summary = "the founding papers' tables and figures, beside what was measured here",
      .measurements = {{"mars", measure_mars},
                       {"chen-agrawal", measure_chen_agrawal},
                       {"chen-agrawal-distinct-keys", measure_distinct_keys},
                       {"catanzaro", measure_catanzaro}},
  };
  static const std::array suites = {&papers, &cpu_suite(), &coexec_suite()};
  return suites;
}

}  // namespace duomap::apps
