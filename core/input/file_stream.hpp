// The stream of an open file, pipe or terminal.
// host only
#pragma once

#include "core/file_descriptor.hpp"
#include "core/input/opening_stamp.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace duomap {

/// Reads a descriptor from its position to its end, or at most `most` bytes. Repeats interrupted reads, and
/// waits for bytes that are not there yet. A read becomes one call of the system, so a pipe may give fewer
/// bytes than asked for.
class file_stream final : public byte_stream {
 public:
  static constexpr std::uint64_t to_the_end = std::numeric_limits<std::uint64_t>::max();

  /// `name` is for messages. `control`, which may be null, must outlive the stream: read() throws interrupted
  /// within 50 ms when it waits and the run is cancelled. `stamp`, which may be null and must outlive the
  /// stream, is told which bytes were read.
  file_stream(file_descriptor file, std::string name, const run_control* control = nullptr,
              std::uint64_t most = to_the_end, opening_stamp* stamp = nullptr);

  std::uint64_t read(char* into, std::uint64_t capacity) override;

  /// Works for regular files only. The part has `wanted` bytes, fewer only if the file ends before.
  std::unique_ptr<stream_part> take_part(std::uint64_t wanted) override;
  std::optional<std::uint64_t> look(std::uint64_t ahead, char* into, std::uint64_t count) override;

 private:
  void wait() const;

  std::shared_ptr<const file_descriptor> file_;  // shared with the parts
  std::string name_;
  const run_control* control_;
  std::uint64_t most_;
  opening_stamp* stamp_;
  std::optional<std::uint64_t> begin_;  // where reading began in a regular file
  bool waits_;                          // reading may wait for the writer
  std::uint64_t position_ = 0;
};

}  // namespace duomap
