// What short runs of this process have shown of pools.
#pragma once

#include "scheduler/history/task_profile.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace duomap::scheduler {

/// A run that is too short to be stored still tells the next one of this process how fast the CPU is, so that
/// `auto` need not offer a GPU to a run of which the CPU alone makes less than that costs: 0.2 ms on a host
/// of H200. Of devices short runs show little but what their chunks cost. Any thread may call it.
class short_lessons {
 public:
  /// By where the task's profile would be stored; nullptr where there is none.
  [[nodiscard]] std::shared_ptr<const task_profile> find(const std::string& where) const {
    const std::lock_guard held(mutex_);
    const auto known = lessons_.find(where);
    return known == lessons_.end() ? nullptr : known->second.profile;
  }

  /// Whether a run of `seconds` seconds would be the longest so far: others show nothing new.
  [[nodiscard]] bool wants(const std::string& where, double seconds) const {
    const std::lock_guard held(mutex_);
    const auto known = lessons_.find(where);
    return known == lessons_.end() || seconds > known->second.seconds;
  }

  void keep(const std::string& where, double seconds, task_profile profile) {
    const std::lock_guard held(mutex_);
    lessons_.insert_or_assign(where,
                              lesson{seconds, std::make_shared<const task_profile>(std::move(profile))});
  }

  [[nodiscard]] static short_lessons& of_this_process() {
    // Never destroyed: a thread that still runs a job when the process ends may use it.
    static short_lessons& all = *new short_lessons;
    return all;
  }

 private:
  struct lesson {
    double seconds;
    std::shared_ptr<const task_profile> profile;
  };

  mutable std::mutex mutex_;
  std::map<std::string, lesson> lessons_;  // guarded by mutex_
};

}  // namespace duomap::scheduler
