#include "scheduler/profile/profile_store.hpp"

#include "scheduler/profile/profile_text.hpp"
#include "scheduler/profile/profile_words.hpp"
#include "scheduler/profile/stored_cache.hpp"
#include "scheduler/profile/stored_text.hpp"

#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

namespace duomap::scheduler {
namespace {

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

std::optional<task_profile> profile_store::load(const std::string& task) const {
  static stored_cache<task_profile> cache;
  if (options_.access == profile_access::off) return std::nullopt;
  auto profile = cache.read(path_of(task), parse_profile);
  // Two tasks may have one file name.
  if (profile && profile->task != task) return std::nullopt;
  return profile;
}

bool profile_store::save(const task_profile& profile) const {
  return options_.access == profile_access::read_write &&
         write_stored(path_of(profile.task), to_text(profile));
}

}  // namespace duomap::scheduler
