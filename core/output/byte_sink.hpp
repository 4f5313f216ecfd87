// Writes buffered bytes to a file descriptor. Either all bytes are written, or an error has the number of
// bytes written.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/error.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace duomap {

/// The reader of a pipe closed it before it had read everything. The program says so in one line and ends
/// with status 1, so that a script can tell a cut result from a whole one.
class closed_pipe : public output_error {
 public:
  using output_error::output_error;
};

/// What happens to the bytes already written if writing fails. The advice in the message depends on it.
enum class partial_output {
  removed,  ///< they are in a temporary file that goes away (see result_file)
  stays,    ///< they are in a pipe, a device or a file of the caller's
};

/// Writes to a descriptor that the caller owns and keeps open. Repeats interrupted and short writes, and
/// waits for descriptors that do not block. Used by one thread at a time.
class byte_sink {
 public:
  /// The bytes of the buffer. A write of four times a pipe's capacity is worth its system call. In a torture
  /// build every few cells are a write.
  static constexpr std::uint64_t capacity = torture ? 64 : std::uint64_t{256} << 10;

  /// @param name the target's name in messages: "standard output" or a quoted path
  /// @param control may be null; if its run is cancelled, flush() throws interrupted
  byte_sink(int descriptor, std::string name, partial_output partial = partial_output::stays,
            const run_control* control = nullptr);
  byte_sink(const byte_sink&) = delete;
  byte_sink& operator=(const byte_sink&) = delete;
  /// Drops the bytes in the buffer: after an error nobody wants them, and a destructor cannot report a
  /// failure.
  ~byte_sink() = default;

  /// Appends bytes. Throws closed_pipe, interrupted, or output_error, like every member that may write. The
  /// message has the target, the reason, the bytes written so far and the remedy.
  void write(byte_view bytes) {
    if (bytes.size > capacity - used_) {
      write_large(bytes);
      return;
    }
    if (bytes.size != 0) {
      std::memcpy(buffer_.get() + used_, bytes.data, bytes.size);
      used_ += bytes.size;
    }
  }

  void write(char byte) {
    *reserve(1) = byte;
    ++used_;
  }

  /// Room for `count` <= capacity bytes. Write there from the beginning, then call advance().
  [[nodiscard]] char* reserve(std::uint64_t count) {
    if (count > capacity - used_) {
      flush();
    }
    return buffer_.get() + used_;
  }

  /// Appends the first `count` bytes of the room that reserve() gave.
  void advance(std::uint64_t count) { used_ += count; }

  /// Hands all gathered bytes to the system.
  void flush();

  /// Bytes handed to the system so far.
  [[nodiscard]] std::uint64_t bytes_written() const noexcept { return written_; }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Calls `action` once with the first bytes, before they are written: a progress bar then leaves the
  /// terminal.
  void before_first_write(std::function<void(byte_view)> action) { before_first_write_ = std::move(action); }

 private:
  void write_large(byte_view bytes);
  void write_through(const char* data, std::uint64_t size);

  int descriptor_;
  partial_output partial_;
  std::string name_;
  const run_control* control_;
  std::unique_ptr<char[]> buffer_;
  std::uint64_t used_ = 0;
  std::uint64_t written_ = 0;
  std::function<void(byte_view)> before_first_write_;
};

}  // namespace duomap
