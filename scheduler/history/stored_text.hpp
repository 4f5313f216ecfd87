// Reads and writes small text files that several programs share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace duomap::scheduler {

/// Identifies a state of a file. The stamp changes when the file is written or replaced.
struct file_stamp {
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t seconds = 0;  ///< time of the last change, since 1970
  std::int64_t nanoseconds = 0;
  friend bool operator==(const file_stamp&, const file_stamp&) = default;
};

/// The stamp of a file. No value: there is no such file, or it is not a regular file.
[[nodiscard]] std::optional<file_stamp> stamp_of(const std::filesystem::path& path);

/// The content of a regular file of at most 1 MiB. No value: there is no such file, or it cannot be read.
[[nodiscard]] std::optional<std::string> read_stored(const std::filesystem::path& path);

/// Writes the text under another name in the folder and renames it. So readers see the old or the new text,
/// and if two programs write, the later text stays. Makes missing folders. Returns the stamp of the new file.
/// No value: the text was not stored, for any reason.
std::optional<file_stamp> write_stored(const std::filesystem::path& path, std::string_view text);

}  // namespace duomap::scheduler
