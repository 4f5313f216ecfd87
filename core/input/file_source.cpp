// Opens a path as a stream, and refuses to open a pipe twice.
#include "core/input/file_source.hpp"

#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/input/content_stream.hpp"
#include "core/input/file_stream.hpp"
#include "core/path_problem.hpp"

#include <fcntl.h>

#include <cerrno>
#include <utility>

namespace duomap {

file_source::file_source(std::string path, input_content content, std::optional<file_state> stamp)
  : source(std::move(path)), content_(content), stamp_(std::move(stamp)) {}

std::optional<std::uint64_t> file_source::stored_size() const {
  return stamp_ ? std::optional(stamp_->size()) : std::nullopt;
}

std::string file_source::change() const { return stamp_ ? stamp_->change() : std::string(); }

std::unique_ptr<byte_stream> file_source::open(const run_control* control) const {
  if (opened_.exchange(true) && !stamp_) {
    throw usage_error("cannot read " + quoted(name()) +
                      " a second time: it is a pipe or device; store its data in a file and give that");
  }
  // Without O_NONBLOCK, opening a FIFO would wait for its writer. Here the stream waits, until a writer comes
  // or the run is cancelled.
  file_descriptor file = open_for_reading(name(), stamp_ ? 0 : O_NONBLOCK);
  if (!file) {
    throw input_error(path_problem(name(), errno));
  }
  std::string shown = quoted(name());
  const std::uint64_t most = stamp_ && stamp_->size() > 0 ? stamp_->size() : file_stream::to_the_end;
  file_state* const stamp = stamp_ ? &*stamp_ : nullptr;
  opened_content content = content_stream(
      std::make_unique<file_stream>(std::move(file), shown, control, most, stamp), content_, name(), shown);
  marked_ = content.marked;
  return std::move(content.stream);
}

}  // namespace duomap
