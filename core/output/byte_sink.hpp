// Buffered writing of bytes to a file descriptor: all of them, or an error that gives the number of bytes
// written.
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

/// The reader of a pipe went away before it had read everything. The program says so in one line and ends
/// with status 1: a caller that reads the status must not take a cut result for a whole one.
class closed_pipe : public output_error {
 public:
  using output_error::output_error;
};

/// The fate of the bytes already written when writing fails, which decides the advice in the message.
enum class partial_output {
  removed,  ///< they are in a temporary file that goes away (see result_file)
  stays,    ///< they are in a pipe, a device or a file of the caller's
};

/// Writes to a descriptor that someone else owns and keeps open. Goes on after interrupted and short writes,
/// and waits for descriptors that do not block. Used by one thread at a time.
class byte_sink {
 public:
  /// Bytes gathered before a write. Four times a pipe's capacity, so that a write is worth its system call;
  /// torture builds flush every few cells.
  static constexpr std::uint64_t capacity = torture ? 64 : std::uint64_t{256} << 10;

  /// @param name the target's name in messages: "standard output" or a quoted path
  /// @param control when not null, a cancelled run ends the writing: flush() throws interrupted
  byte_sink(int descriptor, std::string name, partial_output partial = partial_output::stays,
            const run_control* control = nullptr);
  byte_sink(const byte_sink&) = delete;
  byte_sink& operator=(const byte_sink&) = delete;
  /// Drops bytes that were not flushed: after an error nobody wants the bytes, and a destructor cannot report
  /// a failure.
  ~byte_sink() = default;

  /// Appends bytes. Like every member that may write, throws closed_pipe, interrupted, or output_error, which
  /// names the target, the reason, the bytes written so far and the remedy.
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

  /// Appends one byte.
  void write(char byte) {
    *reserve(1) = byte;
    ++used_;
  }

  /// Room for `count` <= capacity bytes, to be filled from its start and then kept with advance().
  [[nodiscard]] char* reserve(std::uint64_t count) {
    if (count > capacity - used_) {
      flush();
    }
    return buffer_.get() + used_;
  }

  /// Keeps the first `count` bytes of the last reserve().
  void advance(std::uint64_t count) { used_ += count; }

  /// Hands all gathered bytes to the system.
  void flush();

  /// Bytes handed to the system so far.
  [[nodiscard]] std::uint64_t bytes_written() const noexcept { return written_; }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Calls `action` once, with the first bytes, before they are handed to the system (a progress bar leaves
  /// the terminal then).
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
