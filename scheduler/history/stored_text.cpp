// Reads regular files, and writes new files under another name before renaming them.
#include "scheduler/history/stored_text.hpp"

#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/input/file_stream.hpp"
#include "core/input/resumed_stream.hpp"
#include "core/output/unfinished_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

namespace duomap::scheduler {
namespace {

// A larger file cannot be a stored text, so it is not read.
constexpr std::int64_t most_bytes = std::int64_t{1} << 20;

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

std::optional<file_stamp> stamp_of(const std::filesystem::path& path) {
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return file_stamp{facts.st_ino, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
}

std::optional<std::string> read_stored(const std::filesystem::path& path) {
  const auto stamp = stamp_of(path);  // only a regular file, because a pipe would block the reader
  if (!stamp || stamp->size > most_bytes) return std::nullopt;
  file_descriptor file = open_for_reading(path);
  if (!file) return std::nullopt;
  try {
    file_stream stored(std::move(file), path);
    return next_bytes(stored, static_cast<std::uint64_t>(stamp->size));
  } catch (const input_error&) {
    return std::nullopt;
  }
}

std::optional<file_stamp> write_stored(const std::filesystem::path& path, std::string_view text) {
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  if (problem) return std::nullopt;
  unfinished_file made = create_unfinished(path, 0666);
  if (!made.file || !write_all(made.file.get(), text)) return std::nullopt;
  const auto stamp = stamp_of(made.path());
  if (!stamp) return std::nullopt;
  std::filesystem::rename(made.path(), path, problem);
  if (problem) return std::nullopt;
  made.release();
  return stamp;
}

}  // namespace duomap::scheduler
