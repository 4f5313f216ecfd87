// Writes a stored partial, partition by partition.
// host only
#pragma once

#include "core/output/byte_sink.hpp"
#include "core/partial/stored/partial_header.hpp"

#include <cstdint>
#include <vector>

namespace duomap {

/// The bytes at the beginning and at the end of every stored partial. No text has such bytes.
inline constexpr char partial_magic[8] = {'\x93', 'd', 'u', 'o', 'm', 'a', 'p', '\n'};

/// Writes a stored partial to a sink, which must outlive the writer. Used by one thread at a time.
class partial_writer {
 public:
  /// Writes the first bytes of the partial.
  explicit partial_writer(byte_sink& to);

  /// Writes the next partition.
  void partition(byte_view bytes, std::uint64_t entries);

  /// Writes the header last, because only then its content is known. Nothing may follow.
  void finish(const partial_header& header);

 private:
  void write(byte_view bytes);

  byte_sink& to_;
  std::uint64_t written_ = 0;
  std::vector<stored_partition> partitions_;
};

}  // namespace duomap
