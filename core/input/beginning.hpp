// The first bytes of a source, read before a run.
// host only
#pragma once

#include "core/input/source.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap {

/// Returns the first `bytes` bytes of a source, or all bytes if it has fewer. A source that can be read only
/// once is replaced by another one that gives these bytes again, so `from` can be read from its beginning
/// afterwards. If `control` is cancelled, the call stops to wait for a pipe. `control` may be null.
/// @throws input_error, interrupted
[[nodiscard]] std::string beginning_of(std::unique_ptr<source>& from, std::uint64_t bytes,
                                       const run_control* control);

}  // namespace duomap
