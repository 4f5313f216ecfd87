#include "scheduler/history/stored_text.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <system_error>

namespace duomap::scheduler {
namespace {

// Larger files are none of ours; they are not read to the end.
constexpr std::int64_t most_bytes = std::int64_t{1} << 20;

}  // namespace

std::optional<file_stamp> stamp_of(const std::filesystem::path& path) {
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return file_stamp{facts.st_ino, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
}

std::optional<std::string> read_stored(const std::filesystem::path& path) {
  const auto stamp = stamp_of(path);  // a pipe would be waited for
  if (!stamp || stamp->size > most_bytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return std::nullopt;
  return text;
}

std::optional<file_stamp> write_stored(const std::filesystem::path& path, std::string_view text) {
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  if (problem) return std::nullopt;
  static std::atomic<unsigned> saved{0};
  std::filesystem::path temporary = path;
  temporary += "." + std::to_string(getpid()) + "." + std::to_string(saved.fetch_add(1)) + ".tmp";
  std::optional<file_stamp> stamp;
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (file) stamp = stamp_of(temporary);
  }
  if (stamp) std::filesystem::rename(temporary, path, problem);
  if (stamp && !problem) return stamp;
  std::filesystem::remove(temporary, problem);
  return std::nullopt;
}

}  // namespace duomap::scheduler
