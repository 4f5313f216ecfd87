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

/// A regular file as it was when it was opened: its identity, its size, its time of change, and its first and
/// last bytes. Any thread may call change() while no thread calls a function that is not const.
class file_state {
 public:
  /// The number of bytes that a stamp keeps of each end of the file.
  static constexpr std::uint64_t end_bytes = 320;

  /// The stamp of an open regular file at `path`. For a file without a path, such as standard input, it keeps
  /// a duplicate of the descriptor, and `name` is for messages.
  file_state(int descriptor, const std::string& path, const std::string& name = {});

  /// The file's size in bytes. Also 0 for a file whose size the system does not know, as in /proc. A stamp
  /// notices no changes of such files.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] file_identity identity() const noexcept { return identity_; }

  /// Keeps the first of `bytes`, which are the file's first bytes, read before the stamp was made.
  void keep_first(std::string_view bytes);
  /// Keeps both ends of the file as they are now. For a file that is mapped.
  /// @throws input_error when the first bytes differ from those that keep_first() got
  void keep_ends(int descriptor);
  /// Keeps both ends of bytes that a stream has read in order, from offset `at` on. Reading the last bytes
  /// before the others would make a small file take a third longer.
  void has_read(std::uint64_t at, byte_view bytes);

  /// Call it after the last byte was read. Returns an empty text if the file is unchanged or was deleted.
  /// Returns a sentence if the file only grew, and the first size() bytes have the same bytes at both ends.
  /// @throws input_error when it was cut, rewritten, or replaced by another file
  ///
  /// It does not see four kinds of changes: a change that leaves the time of change as it was (within one
  /// tick of the file system's clock, through a shared mapping, or because a program set the time back); a
  /// change in the middle of a file that also grew; a change at the end of a stream that also grew before its
  /// end was read; and a change that a network file system does not report.
  [[nodiscard]] std::string change() const;

 private:
  [[nodiscard]] bool look(struct stat& now) const;
  [[nodiscard]] bool ends_are_the_same() const;
  [[noreturn]] void refuse(const std::string& what) const;

  std::string path_;
  std::string name_;
  file_descriptor kept_;  // the descriptor of a file without a path
  file_identity identity_;
  std::uint64_t size_ = 0;
  timespec changed_{};
  std::uint64_t begin_ = 0;  // the place of first_ in the file
  std::uint64_t end_ = 0;
  std::string first_;  // the bytes from begin_ on
  std::string last_;   // the bytes in front of end_
};

}  // namespace duomap
