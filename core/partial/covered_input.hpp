// The part of an input whose records are in a partial.
// host only
#pragma once

#include "core/input/input.hpp"
#include "core/input/input_slice.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap {

/// A set of slices of one input. It has the names and sizes of the input's sources, to notice that two parts
/// belong to different inputs. It has the slices, so that no record is counted twice.
class covered_input {
 public:
  /// One source of the whole input.
  struct source {
    std::string name;
    std::uint64_t units = 0;  ///< for a stream the stored bytes; 0: not known
    bool stream = false;      ///< a stream is covered from 0 to whole_stream, or not at all
    /// The covered intervals. They are in ascending order and do not touch.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals = {};

    friend bool operator==(const source&, const source&) = default;
  };

  covered_input() = default;
  /// The part of an input that these slices cover.
  covered_input(const input& whole, std::span<const input_slice> slices);
  /// Requires that the intervals of each source are in ascending order and do not touch.
  explicit covered_input(std::vector<source> sources) : sources_(std::move(sources)) {}

  [[nodiscard]] const std::vector<source>& sources() const noexcept { return sources_; }

  /// Whether this set covers all slices of `other`.
  /// @throws input_error when `other` belongs to another input
  [[nodiscard]] bool contains(const covered_input& other) const;
  [[nodiscard]] bool overlaps(const covered_input& other) const;
  void add(const covered_input& other);

  /// The first part of the input that is not covered, for messages: "bytes 10 to 20 of 'a.txt' (and 3 more
  /// parts)". Empty if all of the input is covered.
  [[nodiscard]] std::string missing() const;

 private:
  void require_same_input(const covered_input& other) const;

  std::vector<source> sources_;
};

}  // namespace duomap
