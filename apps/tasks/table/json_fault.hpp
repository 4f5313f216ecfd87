// Says why a row is no JSON object.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <string>

namespace duomap::apps {

struct json_paths;

/// A sentence about the fault of a row that json_scan refuses, with its place in the row.
[[nodiscard]] std::string json_fault_of(byte_view row, const json_paths& paths);

}  // namespace duomap::apps
