// The ways in which a run reads the bytes of an input.
#pragma once

namespace duomap {

enum class input_content {
  /// Text or a file of a format with a mark of its own (.npy). A file that begins like a compressed one is
  /// decompressed, UTF-16 and UTF-32 with a byte order mark become UTF-8, and UTF-8's mark is skipped.
  text,
  /// Binary records, whose first bytes may be anything: only a name makes a file a compressed one.
  records,
  /// Binary numbers: as records, but a file that plainly begins otherwise (core/input/number_records.hpp) is
  /// refused.
  numbers,
  /// The stored bytes, whatever they are.
  stored,
};

}  // namespace duomap
