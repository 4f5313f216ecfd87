// Where profiles are kept between runs. Nothing that is wrong with them ever fails a run.
#pragma once

#include "scheduler/history/task_profile.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace duomap::scheduler {

/// What may be done with profiles.
enum class profile_access {
  read_write,
  read_only,
  in_process,  ///< they are kept as long as the process, and in no folder
  off,
};

struct profile_options {
  profile_access access = profile_access::off;
  std::string folder;
};

/// From DUOMAP_PROFILE ("off", "read-only", or a folder to use instead of cache_folder()); off when there is
/// none. `get` is std::getenv, or a test's.
[[nodiscard]] profile_options profile_options_from(const std::function<const char*(const char*)>& get);

/// A folder of profiles, a file for each task. Several programs may use it at once: a file is written beside
/// itself and renamed, so readers see an old profile or a new one, and of two writers the later one wins.
class profile_store {
 public:
  explicit profile_store(profile_options options) : options_(std::move(options)) {}

  /// Of a task. Nothing when there is no file, or it cannot be read, or it is not a profile of this version
  /// and task. What another process has stored in the last 10 ms may be missing from it.
  [[nodiscard]] std::shared_ptr<const task_profile> load(const std::string& task) const;

  /// For later loads of this process, and at most once in a second for the others (stored_cache.hpp). False
  /// when it was not stored, whatever the reason: read-only, no space, no permission. `at_once`: for the
  /// others too.
  bool save(task_profile profile, bool at_once = false) const;

  /// For later loads of this process alone, until another one stores a profile.
  void remember(task_profile profile) const;

  /// Whether save() is to write files.
  [[nodiscard]] bool writes() const noexcept { return options_.access == profile_access::read_write; }

  /// Of a task.
  [[nodiscard]] std::filesystem::path path_of(const std::string& task) const { return file_of(task); }
  /// The same as text, because putting paths together takes longer than all else that a small run does here.
  [[nodiscard]] std::string file_of(const std::string& task) const;

 private:
  profile_options options_;
};

}  // namespace duomap::scheduler
