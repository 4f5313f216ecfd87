// Cuts a stream into blocks of whole records.
#pragma once

#include "core/boundary.hpp"
#include "core/input/block.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace duomap {

/// Reads a byte_stream block by block. Every block ends where boundary::last_start allows a cut; what lies
/// behind the cut begins the next block. The blocks, one after the other, are exactly the stream from its
/// first record on.
///
/// Cost: a cut is looked for only after the unfinished record has at least doubled, so that the bytes scanned
/// and the bytes moved stay below a small multiple of the bytes read, however long a record is. A block
/// holds at most max(target, twice its longest record) bytes.
///
/// One caller at a time; successive calls may come from different threads. Not usable after an exception.
class block_reader {
 public:
  /// `stream` is read to its end; `records` must outlive the reader; `target_bytes` (at least 1) is what a
  /// block holds unless the stream ends or its records are long; `name` is the source's name, for messages.
  block_reader(std::unique_ptr<byte_stream> stream, const boundary& records, std::uint64_t target_bytes,
               std::string name = "input");

  /// Fills `into` with the next whole records; false at the end of the stream, `into` is then empty. The last
  /// block ends where the stream ends. No block is empty.
  /// @throws input_error from the stream; out_of_memory when a record does not fit into memory.
  [[nodiscard]] bool next(block& into);

 private:
  void grow(block& into, std::uint64_t used, std::uint64_t capacity);

  std::unique_ptr<byte_stream> stream_;
  const boundary& records_;
  std::uint64_t target_bytes_;
  std::string name_;
  std::vector<char> tail_;    // read but not handed out: the beginning of the next block
  std::uint64_t offset_ = 0;  // of tail_ in the stream
  bool started_ = false;      // the first record has been found
  bool ended_ = false;
};

}  // namespace duomap
