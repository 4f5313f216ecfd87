// The inputs of the scheduling benchmark: what all its tasks read.
// host only
#pragma once

#include "apps/bench/harness/bench_text.hpp"
#include "core/byte_view.hpp"
#include "core/input/input.hpp"
#include "core/worker_pool.hpp"
#include "core/zeroed_memory.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// A text and rows, as large as the options say.
class material {
 public:
  explicit material(worker_pool& pool);

  [[nodiscard]] byte_view text(std::uint64_t bytes) const { return (*text_input_)[0].bytes().sub(0, bytes); }
  [[nodiscard]] byte_view rows(std::uint64_t bytes) const {
    return {static_cast<const char*>(rows_.get()), bytes};
  }
  [[nodiscard]] const std::string& text_description() const noexcept { return description_; }

  /// Everything that tasks read, in as many pieces as there are.
  [[nodiscard]] std::vector<byte_view> all() const;

 private:
  void make_text();

  std::optional<bench_text> made_;
  std::optional<input> text_input_;
  std::string description_;
  zeroed_memory rows_;
};

}  // namespace duomap::apps
