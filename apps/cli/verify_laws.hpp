// Reports the laws that --verify checks before a task runs.
// host only
#pragma once

#include "core/verify/laws.hpp"

#include <vector>

namespace duomap::apps {

/// Reports each check on a line of standard error, unless `quiet`.
/// @throws broken_law, which names the first law that does not hold, and the values
void report_laws(const std::vector<law_check>& checks, bool quiet);

}  // namespace duomap::apps
