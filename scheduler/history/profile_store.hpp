// Keeps profiles between runs. A run never fails because of them.
#pragma once

#include "scheduler/history/task_profile.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace duomap::scheduler {

/// The allowed uses of profiles.
enum class profile_access {
  read_write,
  read_only,
  in_process,  ///< they last as long as the process, and are in no folder
  off,
};

struct profile_options {
  profile_access access = profile_access::off;
  std::string folder;
};

/// Reads DUOMAP_PROFILE ("off", "read-only", or a folder to use instead of cache_folder()); off when there is
/// no folder. `get` is std::getenv, or a test's function.
[[nodiscard]] profile_options profile_options_from(const std::function<const char*(const char*)>& get);

/// A folder of profiles, a file for each task. Several programs may use it at once: a file is written under
/// another name in the folder and renamed, so readers see an old profile or a new one, and of two writers the
/// later one wins.
class profile_store {
 public:
  explicit profile_store(profile_options options) : options_(std::move(options)) {}

  /// The profile of a task. Nothing when there is no file, or it cannot be read, or it is not a profile of
  /// this version and task. It may lack data that another process stored in the last 10 ms.
  [[nodiscard]] std::shared_ptr<const task_profile> load(const std::string& task) const;

  /// Stores a profile for later loads of this process, and at most once a second for other processes
  /// (stored_cache.hpp). False when it was not stored, whatever the reason: read-only, no space, no
  /// permission. `at_once`: for other processes, too.
  bool save(task_profile profile, bool at_once = false) const;

  /// Keeps a profile for later loads of this process alone, until another process stores one.
  void remember(task_profile profile) const;

  /// Whether save() is to write files.
  [[nodiscard]] bool writes() const noexcept { return options_.access == profile_access::read_write; }

  /// The file of a task's profile.
  [[nodiscard]] std::filesystem::path path_of(const std::string& task) const { return file_of(task); }
  /// path_of() as text: making a path takes longer than all other work of a small run here.
  [[nodiscard]] std::string file_of(const std::string& task) const;

 private:
  profile_options options_;
};

}  // namespace duomap::scheduler
