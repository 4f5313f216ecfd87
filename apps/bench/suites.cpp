// The list of all suites.
#include "apps/bench/suite.hpp"

namespace duomap::apps {

std::span<const suite* const> all_suites() { return {}; }

}  // namespace duomap::apps
