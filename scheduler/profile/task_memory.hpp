// What is known of a task before a run, and learned from it.
#pragma once

#include "core/report.hpp"
#include "scheduler/profile/profile_store.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// Connects one run with the store. Used by one thread.
class task_memory {
 public:
  using fact = std::pair<std::string, std::string>;

  /// `now`: seconds since 1970.
  task_memory(profile_store store, profile_key key, std::int64_t now)
    : store_(std::move(store)), key_(std::move(key)), now_(now) {
    if (auto found = store_.load(key_)) {
      profile_ = std::move(found->profile);
      facts_ = std::move(found->facts);
      exact_ = found->exact;
    }
  }

  /// More of what the run is measured with, known only after it was decided which devices take part.
  void add_facts(const std::vector<fact>& more) {
    key_.facts.insert(key_.facts.end(), more.begin(), more.end());
    exact_ = exact_ && agree(facts_, key_.facts);
  }

  /// For a run with these executors (profile_name()).
  [[nodiscard]] std::vector<executor_model> models(std::span<const std::string> executors) const {
    return models_for(profile_, exact_, now_, executors);
  }

  /// Learns from a run that ended well, and stores it if it may. Measurements on another machine or with
  /// another program are not mixed: those of this run take their place. What is known of executors that took
  /// no part stays. A run of less than `least_seconds` that tells nothing new of anybody is not stored: that
  /// takes 0.1 ms.
  bool learn(std::span<const executor_report> executors, double seconds) {
    static constexpr double least_seconds = 10e-3;
    const std::size_t known = exact_ ? profile_.executors.size() : 0;
    if (!exact_) facts_.clear();
    profile_ = updated(exact_ ? std::move(profile_) : task_profile{}, executors, now_);
    exact_ = true;
    if (profile_.executors.empty()) return false;
    if (seconds < least_seconds && profile_.executors.size() == known) return false;
    for (const fact& one : facts_) {
      if (std::none_of(key_.facts.begin(), key_.facts.end(),
                       [&](const fact& other) { return other.first == one.first; }))
        key_.facts.push_back(one);
    }
    return store_.save({key_, profile_});
  }

 private:
  profile_store store_;
  profile_key key_;
  std::int64_t now_;
  task_profile profile_;
  std::vector<fact> facts_;  // stored ones
  bool exact_ = false;
};

}  // namespace duomap::scheduler
