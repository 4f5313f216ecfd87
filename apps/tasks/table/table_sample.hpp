// The first lines of a table.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <vector>

namespace duomap::apps {

struct table_sample {
  std::vector<byte_view> lines;  ///< those that are not empty, without '\r' at their ends
  bool whole = false;            ///< the table has no other lines
  bool cut = false;              ///< the only line may go on
};

/// Takes lines from the first bytes of a table. `whole`: these are all its bytes; otherwise a last line
/// without a line feed is left out, unless there is no other, because it may be cut.
[[nodiscard]] table_sample sample_of(byte_view beginning, bool whole);

}  // namespace duomap::apps
