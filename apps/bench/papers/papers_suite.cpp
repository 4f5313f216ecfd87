#include "apps/bench/papers/papers_suite.hpp"

#include "apps/bench/papers/catanzaro.hpp"
#include "apps/bench/papers/chen_agrawal.hpp"
#include "apps/bench/papers/mars.hpp"

namespace duomap::apps {

const suite& papers_suite() {
  static const suite papers{
      .name = "papers",
      .summary = "the founding papers' tables and figures, beside what they claim",
      .measurements = {{"mars", measure_mars},
                       {"chen-agrawal", measure_chen_agrawal},
                       {"chen-agrawal-distinct-keys", measure_distinct_keys},
                       {"catanzaro", measure_catanzaro}},
  };
  return papers;
}

}  // namespace duomap::apps
