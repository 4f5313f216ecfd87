// What is known of a task before a run, and learned from it.
#pragma once

#include "core/report.hpp"
#include "scheduler/profile/profile_store.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// Connects one run with the store. Used by one thread.
class task_memory {
 public:
  /// `now`: seconds since 1970.
  task_memory(profile_store store, profile_key key, std::int64_t now)
    : store_(std::move(store)), key_(std::move(key)), now_(now) {
    if (auto found = store_.load(key_)) {
      profile_ = std::move(found->profile);
      exact_ = found->exact;
    }
  }

  /// For a run with these executors.
  [[nodiscard]] std::vector<executor_model> models(std::span<const std::string> executors) const {
    return models_for(profile_, exact_, now_, executors);
  }

  /// Learns from a run that ended well, and stores it if it may. Measurements on another machine or with
  /// another program are not mixed: those of this run take their place.
  bool learn(std::span<const executor_report> executors) {
    profile_ = updated(exact_ ? std::move(profile_) : task_profile{}, executors, now_);
    exact_ = true;
    return !profile_.executors.empty() && store_.save({key_, profile_});
  }

 private:
  profile_store store_;
  profile_key key_;
  std::int64_t now_;
  task_profile profile_;
  bool exact_ = false;
};

}  // namespace duomap::scheduler
