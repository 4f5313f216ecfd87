// Describes the part of an input whose records a partial contains.
// host only
#pragma once

#include "core/input/input.hpp"
#include "core/input/input_slice.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap {

/// A set of slices of one input. The input is known by the names and sizes of its sources, so that parts of
/// different inputs are told apart, and so that nothing is counted twice.
class covered_input {
 public:
  /// One source of the whole input.
  struct source {
    std::string name;
    std::uint64_t units = 0;  ///< for a stream the bytes that it occupies where it is stored; 0: not known
    bool stream = false;      ///< it is covered whole, [0, whole_stream), or not at all
    /// The covered intervals, which are in ascending order and do not touch.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals = {};

    friend bool operator==(const source&, const source&) = default;
  };

  covered_input() = default;
  /// Covers slices of an input.
  covered_input(const input& whole, std::span<const input_slice> slices);
  /// Requires that the intervals of each source are in ascending order and do not touch.
  explicit covered_input(std::vector<source> sources) : sources_(std::move(sources)) {}

  [[nodiscard]] const std::vector<source>& sources() const noexcept { return sources_; }

  /// Whether this covers all of `other`, which belongs to the same input.
  /// @throws input_error when `other` belongs to another input
  [[nodiscard]] bool contains(const covered_input& other) const;
  [[nodiscard]] bool overlaps(const covered_input& other) const;
  void add(const covered_input& other);

  /// The first part of the input that is not covered, for messages: "bytes 10 to 20 of 'a.txt' (and 3 more
  /// parts)"; empty when all of the input is covered.
  [[nodiscard]] std::string missing() const;

 private:
  void require_same_input(const covered_input& other) const;

  std::vector<source> sources_;
};

}  // namespace duomap
