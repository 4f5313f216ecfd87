// Finds the files of profiles, and reads and writes them through the cache of this process.
#include "scheduler/history/profile_store.hpp"

#include "core/cache_folder.hpp"
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
  // The object is never destroyed, because at the end of the process a thread may still run a job and use it.
  static auto& all = *new stored_cache<task_profile>(parse_profile, to_text);
  return all;
}

}  // namespace

profile_options profile_options_from(const std::function<const char*(const char*)>& get) {
  const char* const text = get("DUOMAP_PROFILE");
  const std::string wish = text == nullptr ? "" : text;
  profile_options options;
  if (wish == "off") return options;
  options.folder = wish.empty() || wish == "read-only" ? cache_folder(get) : wish;
  if (options.folder.empty()) return options;
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
  // Two tasks may share one file name, so the task is compared.
  return profile && profile->task == task ? profile : nullptr;
}

void profile_store::remember(task_profile profile) const {
  if (options_.access != profile_access::in_process && !writes()) return;
  const std::string path = file_of(profile.task);
  task_cache().remember(path, std::move(profile));
}

bool profile_store::save(task_profile profile, bool at_once) const {
  if (!writes()) {
    remember(std::move(profile));
    return options_.access == profile_access::in_process;
  }
  const std::string path = file_of(profile.task);
  auto& cache = task_cache();
  return at_once ? cache.write(path, std::move(profile), cache.clock())
                 : cache.keep(path, std::move(profile), cache.clock());
}

}  // namespace duomap::scheduler
