// Tells whether a file has changed since it was opened.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/file_descriptor.hpp"
#include "core/input/mapping_registry.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace duomap {

/// The state of a regular file when it was opened: its identity, size and time of change, and the first and
/// last bytes that were there, or were read. Any thread may call change() while no thread calls a function
/// that is not const.
class opening_stamp {
 public:
  /// Bytes that a stamp keeps of the file's beginning, and of its end.
  static constexpr std::uint64_t end_bytes = 320;

  /// The stamp of an open regular file. `path` leads to the file; without a path, as for standard input, the
  /// stamp keeps a duplicate of the descriptor, and `name` is for messages.
  opening_stamp(int descriptor, const std::string& path, const std::string& name = {});

  /// The file's size in bytes; 0 also when the system does not know the size, as for files in /proc. Changes
  /// of such files are not noticed.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] file_identity identity() const noexcept { return identity_; }

  /// Keeps the first of `bytes`, which are the file's first bytes, read before the stamp was made.
  void keep_first(std::string_view bytes);
  /// Keeps the bytes at both ends as they are now: for a file that is mapped.
  /// @throws input_error when the first bytes are not the ones that were kept before
  void keep_ends(int descriptor);
  /// Keeps both ends of the bytes that were read in order from offset `at` on: for a file that is a stream.
  /// Reading its last bytes beforehand would make a small file take a third longer.
  void has_read(std::uint64_t at, byte_view bytes);

  /// Call it after the last byte was read. Empty when the file is unchanged or was deleted; a sentence when
  /// the file only grew, so that its first size() bytes, with the same bytes at both ends, are still there.
  /// @throws input_error when it was cut, rewritten, or replaced by another file
  ///
  /// Four kinds of changes are not seen: one that leaves the time of change as it was (made within the same
  /// tick of the file system's clock, through a shared mapping, or set back), one in the middle of a file
  /// that also grew, one at the end of a stream that also grew before its end was read, and one that a
  /// network file system does not tell.
  [[nodiscard]] std::string change() const;

 private:
  [[nodiscard]] bool look(struct stat& now) const;
  [[nodiscard]] bool ends_are_the_same() const;
  [[noreturn]] void refuse(const std::string& what) const;

  std::string path_;
  std::string name_;
  file_descriptor kept_;  // of a file without a path
  file_identity identity_;
  std::uint64_t size_ = 0;
  timespec changed_{};
  std::uint64_t begin_ = 0;  // where the kept bytes begin in the file
  std::uint64_t end_ = 0;
  std::string first_;  // from begin_ on
  std::string last_;   // before end_
};

}  // namespace duomap
