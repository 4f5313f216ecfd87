#include "scheduler/history/profile_store.hpp"

#include "scheduler/history/profile_text.hpp"
#include "scheduler/history/profile_words.hpp"
#include "scheduler/history/stored_cache.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace duomap::scheduler {
namespace {

std::string hexadecimal(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

stored_cache<task_profile>& task_cache() {
  static stored_cache<task_profile> all(parse_profile, to_text);
  return all;
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
    options.folder = (cache / "duomap").string();
  } else if (const std::filesystem::path home = value("HOME"); home.is_absolute()) {
    options.folder = (home / ".cache" / "duomap").string();
  } else {
    return options;
  }
  options.access = wish == "read-only" ? profile_access::read_only : profile_access::read_write;
  return options;
}

std::string profile_store::file_of(const std::string& task) const {
  return options_.folder + "/profile-v1/" + hexadecimal(checksum(task)) + ".profile";
}

std::shared_ptr<const task_profile> profile_store::load(const std::string& task) const {
  if (options_.access == profile_access::off) return nullptr;
  auto profile = options_.access == profile_access::in_process
                     ? task_cache().recall(file_of(task))
                     : task_cache().read(file_of(task), task_cache().clock());
  // Two tasks may have one file name.
  return profile && profile->task == task ? profile : nullptr;
}

bool profile_store::save(task_profile profile, bool at_once) const {
  const std::string path = file_of(profile.task);
  if (options_.access == profile_access::in_process) {
    task_cache().remember(path, std::move(profile));
    return true;
  }
  if (options_.access != profile_access::read_write) return false;
  auto& cache = task_cache();
  return at_once ? cache.write(path, std::move(profile), cache.clock())
                 : cache.keep(path, std::move(profile), cache.clock());
}

}  // namespace duomap::scheduler
