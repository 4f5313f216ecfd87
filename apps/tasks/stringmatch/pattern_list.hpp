// Reads the patterns of a string match, and owns the tables that find them.
// host only
#pragma once

#include "apps/tasks/stringmatch/pattern_index.hpp"
#include "cpu/scan/beginnings.hpp"
#include "cpu/scan/byte_pair.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// The user's patterns, and the tables that find them. It cannot be copied, because the index points into it.
class pattern_list {
 public:
  /// Keeps the first of several equal patterns. With `ignore_case`, patterns that differ only in case are
  /// equal.
  /// @throws usage_error when there is no pattern, when a pattern is empty or holds a newline, or when they
  /// have more than 2^31 bytes together
  pattern_list(const std::vector<std::string>& patterns, bool ignore_case);
  pattern_list(const pattern_list&) = delete;
  pattern_list& operator=(const pattern_list&) = delete;

  /// Number of different patterns.
  [[nodiscard]] std::uint64_t size() const noexcept { return patterns_.size(); }
  /// A pattern as the user gave it.
  [[nodiscard]] const std::string& operator[](std::uint64_t i) const { return patterns_[i]; }

  /// Bytes of the shortest pattern.
  [[nodiscard]] std::uint64_t shortest() const noexcept { return shortest_; }

  /// The index; valid as long as the list.
  [[nodiscard]] const pattern_index& index() const noexcept { return index_; }
  /// For a single pattern: two of its bytes, which the CPU looks for with vector instructions.
  [[nodiscard]] const cpu::byte_pair& pair() const noexcept { return pair_; }
  /// For several patterns: their beginnings, which the CPU looks for with vector instructions.
  [[nodiscard]] const cpu::beginnings& starts() const noexcept { return starts_; }

 private:
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 31;

  void make_index(const std::vector<std::string>& folded);

  std::vector<std::string> patterns_;
  std::uint64_t shortest_ = most_bytes;
  std::vector<std::uint32_t> filter_;
  std::vector<std::uint32_t> buckets_;
  std::vector<indexed_head> heads_;
  std::vector<pattern_node> nodes_;
  std::string bytes_;
  pattern_index index_;
  cpu::byte_pair pair_;
  cpu::beginnings starts_;
};

/// Reads the lines of a file of patterns. A carriage return before a newline does not belong to a pattern,
/// and the last line needs no newline. "-" is standard input.
/// @throws input_error when it cannot be read; usage_error when it has no line
[[nodiscard]] std::vector<std::string> read_patterns(const std::string& path);

}  // namespace duomap::apps
