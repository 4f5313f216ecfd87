// What the bytes of an input are to a job.
#pragma once

namespace duomap {

enum class input_content {
  /// Text or a file of a format with a mark of its own (.npy). What the first bytes show to be compressed is
  /// decompressed, UTF-16 and UTF-32 with a byte order mark become UTF-8, and UTF-8's mark is skipped.
  text,
  /// Binary records, whose first bytes may be anything: only a name makes a file a compressed one.
  records,
  /// The stored bytes, whatever they are.
  stored,
};

}  // namespace duomap
