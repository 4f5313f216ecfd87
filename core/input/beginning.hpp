// The first bytes of a source, read before a run.
// host only
#pragma once

#include "core/input/source.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap {

/// Returns the first `bytes` bytes of a source, fewer if it has fewer. `from` can then be read as before: a
/// source that can be read only once is replaced by one that gives these bytes again. Waiting for a pipe ends
/// when `control`, if it is not null, is cancelled.
/// @throws input_error, interrupted
[[nodiscard]] std::string beginning_of(std::unique_ptr<source>& from, std::uint64_t bytes,
                                       const run_control* control);

}  // namespace duomap
