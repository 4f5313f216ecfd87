// The stream of an open file, pipe or terminal.
// host only
#pragma once

#include "core/file_descriptor.hpp"
#include "core/input/file_state.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace duomap {

/// Reads a descriptor from its position to its end, or at most `most` bytes. Repeats interrupted reads, and
/// waits for bytes of a pipe. Each read is one system call, so a pipe may give fewer bytes than wanted.
class file_stream final : public byte_stream {
 public:
  static constexpr std::uint64_t to_the_end = std::numeric_limits<std::uint64_t>::max();

  /// `name` is for messages. `control` and `stamp` may be null and must outlive the stream. A read that waits
  /// throws `interrupted` within 50 ms after the run is cancelled. `stamp` learns which bytes were read.
  file_stream(file_descriptor file, std::string name, const run_control* control = nullptr,
              std::uint64_t most = to_the_end, file_state* stamp = nullptr);

  std::uint64_t read(char* into, std::uint64_t capacity) override;

  /// Gives parts of regular files only. A part has `wanted` bytes, or fewer if the file ends earlier.
  std::unique_ptr<stream_part> take_part(std::uint64_t wanted) override;
  std::optional<std::uint64_t> look(std::uint64_t ahead, char* into, std::uint64_t count) override;

 private:
  void wait() const;

  std::shared_ptr<const file_descriptor> file_;  // the parts own it, too
  std::string name_;
  const run_control* control_;
  std::uint64_t most_;
  file_state* stamp_;
  std::optional<std::uint64_t> begin_;  // the offset in a regular file at which reading began
  bool waits_;                          // a read may wait for a writer
  std::uint64_t position_ = 0;
};

}  // namespace duomap
