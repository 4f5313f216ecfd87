// The inputs that all tasks of the scheduling benchmark read.
// host only
#pragma once

#include "bench/harness/bench_text.hpp"
#include "core/byte_view.hpp"
#include "core/input/input.hpp"
#include "core/worker_pool.hpp"
#include "core/zeroed_memory.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// A text and rows of the largest size that the options ask for.
class material {
 public:
  explicit material(worker_pool& pool);

  [[nodiscard]] byte_view text(std::uint64_t bytes) const { return (*text_input_)[0].bytes().sub(0, bytes); }
  [[nodiscard]] byte_view rows(std::uint64_t bytes) const {
    return {static_cast<const char*>(rows_.get()), bytes};
  }
  [[nodiscard]] const std::string& text_description() const noexcept { return description_; }

  /// All memory that tasks read, one view for each piece.
  [[nodiscard]] std::vector<byte_view> all() const;

 private:
  void make_text();

  std::optional<bench_text> made_;
  std::optional<input> text_input_;
  std::string description_;
  zeroed_memory rows_;
};

}  // namespace duomap::apps
