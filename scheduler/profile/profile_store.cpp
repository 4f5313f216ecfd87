#include "scheduler/profile/profile_store.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

namespace duomap::scheduler {
namespace {

// Larger files are none of ours; they are not read to the end.
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 20;

std::string hexadecimal(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

profile_options profile_options_from(const std::function<const char*(const char*)>& get) {
  const auto value = [&](const char* name) {
    const char* const text = get(name);
    return std::string(text == nullptr ? "" : text);
  };
  profile_options options;
  const std::string wish = value("DUOMAP_PROFILE");
  if (wish == "off") return options;
  if (!wish.empty() && wish != "read-only") {
    options.folder = wish;
  } else if (const std::filesystem::path cache = value("XDG_CACHE_HOME"); cache.is_absolute()) {
    // Relative paths are to be ignored, says the XDG base directory specification.
    options.folder = cache / "duomap";
  } else if (const std::filesystem::path home = value("HOME"); home.is_absolute()) {
    options.folder = home / ".cache" / "duomap";
  } else {
    return options;
  }
  options.access = wish == "read-only" ? profile_access::read_only : profile_access::read_write;
  return options;
}

std::filesystem::path profile_store::path_of(const std::string& task) const {
  return options_.folder / "profile-v1" / (hexadecimal(checksum(task)) + ".profile");
}

std::optional<profile_store::found> profile_store::load(const profile_key& key) const {
  if (options_.access == profile_access::off) return std::nullopt;
  const std::filesystem::path path = path_of(key.task);
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return std::nullopt;  // nor wait for a pipe
  const std::uintmax_t size = std::filesystem::file_size(path, problem);
  if (problem || size > most_bytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return std::nullopt;
  auto entry = parse_profile(text);
  // Two tasks may have one file name.
  if (!entry || entry->key.task != key.task) return std::nullopt;
  return found{std::move(entry->profile), entry->key.facts == key.facts};
}

bool profile_store::save(const profile_entry& entry) const {
  if (options_.access != profile_access::read_write) return false;
  const std::filesystem::path path = path_of(entry.key.task);
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  if (problem) return false;
  static std::atomic<unsigned> saved{0};
  std::filesystem::path temporary = path;
  temporary += "." + std::to_string(getpid()) + "." + std::to_string(saved.fetch_add(1)) + ".tmp";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << to_text(entry);
    file.close();
    if (!file) {
      std::filesystem::remove(temporary, problem);
      return false;
    }
  }
  std::filesystem::rename(temporary, path, problem);
  if (!problem) return true;
  std::filesystem::remove(temporary, problem);
  return false;
}

}  // namespace duomap::scheduler
