#include "core/input/file_stream.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"
#include "core/run_control.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace duomap {

file_stream::file_stream(file_descriptor file, std::string name, const run_control* control,
                         std::uint64_t most, opening_stamp* stamp)
  : file_(std::move(file)), name_(std::move(name)), control_(control), most_(most), stamp_(stamp) {
  if (stamp_ != nullptr) {
    begin_ = static_cast<std::uint64_t>(std::max<off_t>(::lseek(file_.get(), 0, SEEK_CUR), 0));
  }
  struct stat status {};
  // Only regular files have a stamp.
  waits_ = stamp_ == nullptr && (::fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode));
  // Read once, front to back: a larger read-ahead. Says nothing to a pipe, and its failure harms nobody.
  static_cast<void>(::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_SEQUENTIAL));
}

std::uint64_t file_stream::read(char* into, std::uint64_t capacity) {
  expects(capacity > 0, "a read of no bytes looks like the end of the stream");
  capacity = std::min(capacity, most_ - position_);
  if (capacity == 0) return 0;
  for (;;) {
    if (waits_) wait();
    const ssize_t count = ::read(file_.get(), into, capacity);
    if (count >= 0) {
      if (stamp_ != nullptr) stamp_->has_read(begin_ + position_, {into, static_cast<std::uint64_t>(count)});
      position_ += static_cast<std::uint64_t>(count);
      return static_cast<std::uint64_t>(count);
    }
    if (errno != EINTR && errno != EAGAIN) {
      const int error = errno;
      throw input_error("cannot read " + name_ + " at byte " + std::to_string(position_) + ": " +
                        error_text(error) + "; check the device or connection it is on");
    }
  }
}

/// Until there is something to read, or the end. A FIFO that nobody has opened for writing yet has neither.
void file_stream::wait() const {
  constexpr int milliseconds = 50;
  pollfd wanted{file_.get(), POLLIN, 0};
  for (;;) {
    if (control_ != nullptr && control_->cancelled.load(std::memory_order_relaxed)) throw interrupted();
    const int ready = ::poll(&wanted, 1, control_ == nullptr ? -1 : milliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
  }
}

}  // namespace duomap
