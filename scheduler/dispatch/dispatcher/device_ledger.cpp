// Keeps two lists of claims for each device: uncommitted claims, and claims of the commit in progress.
#include "scheduler/dispatch/dispatcher/device_ledger.hpp"

#include "core/error.hpp"

#include <utility>

namespace duomap::scheduler {

void device_ledger::claimed(unsigned device, grain_range grains) {
  entries_[device].uncommitted.push_back(grains);
  grains_ += grains.size();
}

void device_ledger::returned(unsigned device, grain_range grains) {
  std::vector<grain_range>& claims = entries_[device].uncommitted;
  grain_range& last = claims.back();
  expects(last.end == grains.end && last.begin <= grains.begin,
          "only the end of the last claim is given back");
  last.end = grains.begin;
  if (last.empty()) claims.pop_back();
  grains_ -= grains.size();
}

void device_ledger::commits(unsigned device) {
  entry& one = entries_[device];
  one.committing = std::move(one.uncommitted);
  one.uncommitted.clear();
}

void device_ledger::committed(unsigned device) {
  entries_[device].committing.clear();
  ++entries_[device].commits;
}

std::vector<grain_range> device_ledger::failed(unsigned device, bool committing_too) {
  entry& one = entries_[device];
  std::vector<grain_range> back;
  if (committing_too) back = std::move(one.committing);
  one.committing.clear();
  back.insert(back.end(), one.uncommitted.begin(), one.uncommitted.end());
  one.uncommitted.clear();
  for (const grain_range& grains : back) grains_ -= grains.size();
  return back;
}

bool device_ledger::others_hold(unsigned device) const noexcept {
  for (unsigned i = 0; i < entries_.size(); ++i) {
    if (i != device && holds(i)) return true;
  }
  return false;
}

}  // namespace duomap::scheduler
