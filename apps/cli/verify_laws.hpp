// --verify: the laws of a task, checked before it runs.
// host only
#pragma once

#include "core/verify/laws.hpp"

#include <vector>

namespace duomap::apps {

/// Says what was checked, a line each, on standard error, unless the run is to be `quiet`.
/// @throws broken_law naming the first law that does not hold and the values
void report_laws(const std::vector<law_check>& checks, bool quiet);

}  // namespace duomap::apps
