// Opens standard input as a stream, once.
#include "core/input/standard_input.hpp"

#include "core/error.hpp"
#include "core/input/content_stream.hpp"
#include "core/input/file_stream.hpp"

#include <algorithm>
#include <utility>

namespace duomap {

void require_one_standard_input(const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1)
    throw usage_error("standard input (-) is given more than once; it can be read once");
}

standard_input::standard_input(file_descriptor file, input_content content,
                               std::optional<std::uint64_t> stored_size, std::optional<file_state> stamp)
  : source(standard_input_name),
    file_(std::move(file)),
    content_(content),
    stored_size_(stored_size),
    stamp_(std::move(stamp)) {}

std::unique_ptr<byte_stream> standard_input::open(const run_control* control) const {
  if (opened_.exchange(true)) {
    throw usage_error("standard input cannot be read a second time; store its data in a file and give that");
  }
  const std::uint64_t left = stored_size_.value_or(0);
  auto stream =
      std::make_unique<file_stream>(std::move(file_), name(), control,
                                    left > 0 ? left : file_stream::to_the_end, stamp_ ? &*stamp_ : nullptr);
  opened_content content = content_stream(std::move(stream), content_, {}, name());
  marked_ = content.marked;
  return std::move(content.stream);
}

}  // namespace duomap
