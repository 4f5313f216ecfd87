// Where an input may be cut into chunks: the one thing the non-template layers know of a record format.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>

namespace duomap {

/// Finds record boundaries near a position, by looking only at bytes near it: no index pass over the data.
/// A record belongs to the slice [from, to) of its source in which it starts, however far it reaches.
/// All methods are pure and may be called by any thread.
class boundary {
 public:
  virtual ~boundary() = default;

  /// The smallest position in [from, limit] at which a slice may start; `limit` when there is none before
  /// it. Reads source[from - 1] at the earliest and source[limit - 1] at the latest. A slice may
  /// always start at 0 and end at source.size. Requires from <= limit <= source.size.
  [[nodiscard]] virtual std::uint64_t first_start(byte_view source, std::uint64_t from,
                                                  std::uint64_t limit) const = 0;

  /// The largest position in [0, block.size] up to which `block` holds whole records only, given that it
  /// starts with a whole record and that more bytes may follow; 0 when it does not hold one whole record.
  [[nodiscard]] virtual std::uint64_t last_start(byte_view block) const = 0;

  /// Units per grain: the smallest slice worth handing out (see scheduler/dispatch/chunk_source.hpp).
  [[nodiscard]] virtual std::uint64_t grain() const = 0;
};

}  // namespace duomap
