// Lets a map end its run when a record makes the result useless.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/error.hpp"

#include <concepts>
#include <cstdint>
#include <string>

namespace duomap {

/// The error that a run throws when its map has stopped the run. The record is the first that was seen to ask
/// for the stop, which need not be the first of the input.
class stopped_by_map : public error {
 public:
  stopped_by_map(std::uint32_t source, std::uint64_t offset, std::string text);
  /// Repeats a stop with a place that people understand: "byte 6 of 'a.txt'".
  stopped_by_map(const stopped_by_map& seen, const std::string& place);

  [[nodiscard]] std::uint32_t source() const noexcept { return source_; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  /// The record's bytes; empty when a GPU saw the record, because a GPU keeps the place only.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

 private:
  std::uint32_t source_;
  std::uint64_t offset_;
  std::string text_;
};

/// A task's member of the name `stop`, which its map calls. On the CPU the call does not return; a GPU goes
/// on to the end of its chunks, and the run ends with the first chunk that is finished.
class early_stop {
 public:
  /// A place is one word; places compare in the order of the input.
  static constexpr unsigned offset_bits = 40;
  static constexpr unsigned long long most_offset = (1ull << offset_bits) - 1;
  static constexpr unsigned long long never = ~0ull;

  early_stop() = default;
  /// For a backend whose maps cannot throw: the smallest place goes to `*first`, which all its threads share.
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
