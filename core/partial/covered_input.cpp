// Compares and joins intervals of an input's sources.
#include "core/partial/covered_input.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <algorithm>
#include <utility>

namespace duomap {
namespace {

using interval = std::pair<std::uint64_t, std::uint64_t>;

/// Sorts intervals, and joins those that touch.
std::vector<interval> joined(std::vector<interval> all) {
  std::sort(all.begin(), all.end());
  std::vector<interval> result;
  for (const interval& one : all) {
    if (!result.empty() && one.first <= result.back().second) {
      result.back().second = std::max(result.back().second, one.second);
    } else {
      result.push_back(one);
    }
  }
  return result;
}

covered_input::source described(const source& one) {
  if (one.addressable()) return {one.name(), one.units()};
  return {one.name(), one.stored_size().value_or(0), true};
}

/// The end of a source: the source is covered if an interval reaches from 0 to this.
std::uint64_t end_of(const covered_input::source& one) { return one.stream ? whole_stream : one.units; }

}  // namespace

covered_input::covered_input(const input& whole, std::span<const input_slice> slices) {
  for (std::size_t i = 0; i < whole.size(); ++i) sources_.push_back(described(whole[i]));
  for (const input_slice& slice : slices) {
    if (slice.begin < slice.end) sources_.at(slice.source).intervals.emplace_back(slice.begin, slice.end);
  }
  for (source& one : sources_) one.intervals = joined(std::move(one.intervals));
}

bool covered_input::contains(const covered_input& other) const {
  covered_input both = *this;
  both.add(other);
  return both.sources_ == sources_;
}

bool covered_input::overlaps(const covered_input& other) const {
  require_same_input(other);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    auto one = other.sources_[i].intervals.begin();
    const auto end = other.sources_[i].intervals.end();
    for (const interval& mine : sources_[i].intervals) {
      while (one != end && one->second <= mine.first) ++one;
      if (one != end && one->first < mine.second) return true;
    }
  }
  return false;
}

void covered_input::add(const covered_input& other) {
  if (sources_.empty()) {
    *this = other;
    return;
  }
  require_same_input(other);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    auto all = std::move(sources_[i].intervals);
    all.insert(all.end(), other.sources_[i].intervals.begin(), other.sources_[i].intervals.end());
    sources_[i].intervals = joined(std::move(all));
  }
}

std::string covered_input::missing() const {
  std::string first;
  std::uint64_t parts = 0;
  for (const source& one : sources_) {
    std::uint64_t begin = 0;
    const auto gap = [&](std::uint64_t end) {
      if (begin >= end || parts++ > 0) return;
      first = one.stream ? quoted(one.name)
                         : std::to_string(begin) + " to " + std::to_string(end) + " of " + quoted(one.name);
    };
    for (const interval& each : one.intervals) {
      gap(each.first);
      begin = each.second;
    }
    gap(end_of(one));
  }
  if (parts > 1) first += " (and " + std::to_string(parts - 1) + " more parts)";
  return first;
}

void covered_input::require_same_input(const covered_input& other) const {
  if (sources_.size() != other.sources_.size())
    throw input_error("partials of different inputs: one has " + std::to_string(sources_.size()) +
                      " sources, the other " + std::to_string(other.sources_.size()) +
                      "; give every part the same inputs in the same order");
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const source& mine = sources_[i];
    const source& its = other.sources_[i];
    // If one process could not map a file, the file is a stream there. It is the same input all the same.
    if (mine.name == its.name && mine.units == its.units) continue;
    throw input_error("partials of different inputs: source " + std::to_string(i) + " is " +
                      quoted(mine.name) + " with " + std::to_string(mine.units) + " units in one and " +
                      quoted(its.name) + " with " + std::to_string(its.units) +
                      " in the other; give every part the same inputs in the same order");
  }
}

}  // namespace duomap
