// Tells whether a file is still what it was when it was opened.
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

/// What a regular file was when it was opened: which file, its size, its time of change; and the first and
/// last bytes that were there, or were read. Any thread may call change() when nobody calls what is not
/// const.
class opening_stamp {
 public:
  /// That are kept of each end.
  static constexpr std::uint64_t end_bytes = 320;

  /// Of an open regular file. `path` leads to it; without one, as of standard input, a duplicate of the
  /// descriptor is kept, and `name` is for messages.
  opening_stamp(int descriptor, const std::string& path, const std::string& name = {});

  /// In bytes; 0 also when the system does not know it, as of files in /proc, whose changes are not noticed.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] file_identity identity() const noexcept { return identity_; }

  /// Keeps what it needs of the first bytes, which were read at opening, before the stamp was made.
  void keep_first(std::string_view bytes);
  /// Keeps bytes of both ends, as they are now: for a file that is mapped.
  /// @throws input_error when the first bytes are not those that were kept before
  void keep_ends(int descriptor);
  /// Keeps what it needs of bytes that were read from offset `at` on, in order: for a file that is a stream,
  /// of which reading the last bytes beforehand would make a small one take a third longer.
  void has_read(std::uint64_t at, byte_view bytes);

  /// Asked after the last byte was read. Nothing when the file is what it was, or was deleted; a sentence
  /// when it only grew: its first size() bytes, with the same bytes at both ends, are still there.
  /// @throws input_error when it was cut, rewritten, or replaced by another file
  ///
  /// Not seen are a change that leaves the time of change as it was (made within the same tick of the file
  /// system's clock, through a shared mapping, or set back), one in the middle of a file that also grew, one
  /// at the end of a stream that also grew before its end was read, and what a network file system does not
  /// tell.
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
  std::uint64_t begin_ = 0;  // of what is kept
  std::uint64_t end_ = 0;
  std::string first_;  // from begin_ on
  std::string last_;   // before end_
};

}  // namespace duomap
