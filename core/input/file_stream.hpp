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

/// Reads a descriptor from where it stands to its end, or `most` bytes of it. Interrupted reads are taken up
/// again, what is not there yet is waited for. A read is passed to the system as it is: a pipe gives less
/// than asked for.
class file_stream final : public byte_stream {
 public:
  static constexpr std::uint64_t to_the_end = std::numeric_limits<std::uint64_t>::max();

  /// `name` is for messages. `control`, which may be null, must outlive the stream: read() throws interrupted
  /// within 50 ms when it waits and the run is cancelled. `stamp`, which may be null and must outlive the
  /// stream, is told what was read.
  file_stream(file_descriptor file, std::string name, const run_control* control = nullptr,
              std::uint64_t most = to_the_end, opening_stamp* stamp = nullptr);

  std::uint64_t read(char* into, std::uint64_t capacity) override;

  /// Of a regular file; exactly `wanted` bytes, fewer only if the file ends before.
  std::unique_ptr<stream_part> take_part(std::uint64_t wanted) override;
  std::optional<std::uint64_t> look(std::uint64_t ahead, char* into, std::uint64_t count) override;

 private:
  void wait() const;

  std::shared_ptr<const file_descriptor> file_;  // shared with the parts
  std::string name_;
  const run_control* control_;
  std::uint64_t most_;
  opening_stamp* stamp_;
  std::optional<std::uint64_t> begin_;  // in the file, of a regular one
  bool waits_;                          // reading may wait for the writer
  std::uint64_t position_ = 0;
};

}  // namespace duomap
