// Lets a map end its run when a record makes the result useless.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/error.hpp"

#include <concepts>
#include <cstdint>
#include <string>

namespace duomap {

/// The error of a run that its own map has stopped. The error has the first record that was noticed. A record
/// that is earlier in the input may have asked for the stop, too.
class stopped_by_map : public error {
 public:
  stopped_by_map(std::uint32_t source, std::uint64_t offset, std::string text);
  /// The same error with a place that people understand: "byte 6 of 'a.txt'".
  stopped_by_map(const stopped_by_map& seen, const std::string& place);

  [[nodiscard]] std::uint32_t source() const noexcept { return source_; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  /// The record's bytes. Empty if map ran on a GPU, because a GPU keeps only the record's place.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::uint32_t source_;
  std::uint64_t offset_;
  std::string text_;
};

/// The type of a task's member `stop`. map calls the member to end the run. On the CPU the call throws. A GPU
/// first maps its chunks to their ends; the run ends when the first of these chunks is finished.
class early_stop {
 public:
  /// A place is one word: the source, and the offset in the low bits. So places compare in input order.
  static constexpr unsigned offset_bits = 40;
  static constexpr unsigned long long most_offset = (1ull << offset_bits) - 1;
  static constexpr unsigned long long never = ~0ull;

  early_stop() = default;
  /// For GPUs, where map cannot throw: all threads write to `*first`, and the smallest place stays there.
  explicit early_stop(unsigned long long* first) : first_(first) {}

  /// Stops the run for the record that begins at `offset` of source number `source`.
  DUOMAP_HD void operator()(std::uint32_t source, std::uint64_t offset, byte_view text) const {
#if defined(__CUDA_ARCH__)
    static_cast<void>(text);
    atomicMin(first_, static_cast<unsigned long long>(source) << offset_bits |
                          (offset < most_offset ? offset : most_offset));
#else
    throw stopped_by_map(source, offset, std::string(text.text()));
#endif
  }

 private:
  [[maybe_unused]] unsigned long long* first_ = nullptr;  // read by GPUs only
};

/// Tasks whose map may end the run.
template <class Task>
concept may_stop = requires {
  requires std::same_as<decltype(Task::stop), early_stop>;
};

}  // namespace duomap
