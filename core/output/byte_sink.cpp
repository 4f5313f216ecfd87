// Writes buffered bytes with write(2), and turns its errors into messages.
#include "core/output/byte_sink.hpp"

#include "core/path_problem.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace duomap {

namespace {

const char* advice(int error_number) {
  switch (error_number) {
    case ENOSPC:
      return "free some space or write to another place";
    case EDQUOT:
      return "free some of your disk quota or write to another place";
    case EFBIG:
      return "raise the file size limit (ulimit -f) or write to another place";
    case EBADF:
      return "give a target that is open for writing";
    default:
      return "check the target and run again";
  }
}

// The caller's descriptor may be non-blocking, for example because a shell shares it with its own event loop.
// Waits as long as a write to a blocking descriptor would.
void wait_until_writable(int descriptor) {
  pollfd request{descriptor, POLLOUT, 0};
  constexpr int no_timeout = -1;
  ::poll(&request, 1, no_timeout);
}

}  // namespace

byte_sink::byte_sink(int descriptor, std::string name, partial_output partial, const run_control* control)
  : descriptor_(descriptor),
    partial_(partial),
    name_(std::move(name)),
    control_(control),
    buffer_(std::make_unique_for_overwrite<char[]>(capacity)) {}

void byte_sink::flush() {
  const std::uint64_t size = std::exchange(used_, 0);
  write_through(buffer_.get(), size);
}

void byte_sink::write_large(byte_view bytes) {
  flush();
  if (bytes.size >= capacity) {
    write_through(bytes.data, bytes.size);
    return;
  }
  std::memcpy(buffer_.get(), bytes.data, bytes.size);
  used_ = bytes.size;
}

void byte_sink::write_through(const char* data, std::uint64_t size) {
  // On Linux one write() transfers less than 2 GiB.
  constexpr std::uint64_t largest_write = std::uint64_t{1} << 30;
  if (size != 0 && before_first_write_) {
    std::exchange(before_first_write_, nullptr)({data, size});
  }
  while (size != 0) {
    stop_if_cancelled(control_);
    const ssize_t count = ::write(descriptor_, data, std::min(size, largest_write));
    if (count >= 0) {
      data += count;
      size -= static_cast<std::uint64_t>(count);
      written_ += static_cast<std::uint64_t>(count);
      continue;
    }
    const int error_number = errno;
    if (error_number == EINTR) {
      continue;
    }
    if (error_number == EAGAIN || error_number == EWOULDBLOCK) {
      wait_until_writable(descriptor_);
      continue;
    }
    if (error_number == EPIPE) {
      throw closed_pipe("the reader of " + name_ + " closed it after " + std::to_string(written_) +
                        " bytes; the result was cut there");
    }
    throw output_error("cannot write to " + name_ + ": " + error_text(error_number) + " (after " +
                       std::to_string(written_) + " bytes); " +
                       (partial_ == partial_output::removed ? "nothing of the result was kept; "
                                                            : "the result there is incomplete; ") +
                       advice(error_number));
  }
}

}  // namespace duomap
