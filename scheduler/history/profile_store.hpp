// Keeps profiles between runs. A run never fails because of them.
#pragma once

#include "scheduler/history/task_profile.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace duomap::scheduler {

/// How profiles may be used.
enum class profile_access {
  read_write,
  read_only,
  in_process,  ///< profiles last as long as the process, and are in no folder
  off,
};

struct profile_options {
  profile_access access = profile_access::off;
  std::string folder;
};

/// Reads DUOMAP_PROFILE: "off", "read-only", or a folder in place of cache_folder(). Profiles are off if
/// there is no folder. `get` is std::getenv, or a function of a test.
[[nodiscard]] profile_options profile_options_from(const std::function<const char*(const char*)>& get);

/// A folder of profiles, with a file for each task. Several programs may use it at once. A file is written
/// under another name in the folder and then renamed. So readers see the old or the new profile, and if two
/// programs write, the later profile stays.
class profile_store {
 public:
  explicit profile_store(profile_options options) : options_(std::move(options)) {}

  /// The profile of a task. No value: there is no file, it cannot be read, or it is no profile of this
  /// version and task. The profile may lack data that another process stored in the last 10 ms.
  [[nodiscard]] std::shared_ptr<const task_profile> load(const std::string& task) const;

  /// Stores a profile for later loads of this process and, at most once a second, for other processes
  /// (stored_cache.hpp). False: it was not stored, for any reason: read-only, no space, no permission.
  /// `at_once`: store it for other processes now.
  bool save(task_profile profile, bool at_once = false) const;

  /// Keeps a profile for later loads of this process only, until another process stores a profile.
  void remember(task_profile profile) const;

  /// Whether save() may write files.
  [[nodiscard]] bool writes() const noexcept { return options_.access == profile_access::read_write; }

  /// The file of a task's profile.
  [[nodiscard]] std::filesystem::path path_of(const std::string& task) const { return file_of(task); }
  /// path_of() as text, because making a path takes longer than all other work of a small run here.
  [[nodiscard]] std::string file_of(const std::string& task) const;

 private:
  profile_options options_;
};

}  // namespace duomap::scheduler
