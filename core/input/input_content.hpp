// The ways in which a run reads the bytes of an input.
#pragma once

namespace duomap {

enum class input_content {
  /// Text, or a file whose format has a mark of its own (.npy). Files that begin like compressed ones are
  /// decompressed. UTF-16 and UTF-32 with a byte order mark become UTF-8. The mark of UTF-8 is skipped.
  text,
  /// Binary records. Their first bytes may be anything, so only a name such as x.gz means a compressed file.
  records,
  /// Binary numbers. Read like `records`, but a file that plainly has another format
  /// (core/input/number_records.hpp) is refused.
  numbers,
  /// The stored bytes as they are.
  stored,
};

}  // namespace duomap
