#include "core/input/file_source.hpp"

#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/input/file_stream.hpp"
#include "core/path_problem.hpp"

#include <cerrno>
#include <utility>

namespace duomap {

file_source::file_source(std::string path, compression kind, std::optional<std::uint64_t> stored_size)
  : source(std::move(path)), kind_(kind), stored_size_(stored_size) {}

std::unique_ptr<byte_stream> file_source::open() const {
  if (opened_.exchange(true) && !stored_size_) {
    throw usage_error("cannot read " + quoted(name()) +
                      " a second time: it is a pipe or device; store its data in a file and give that");
  }
  file_descriptor file = open_for_reading(name());
  if (!file) {
    throw input_error(path_problem(name(), errno));
  }
  std::string shown = quoted(name());
  return decompressed(std::make_unique<file_stream>(std::move(file), shown), kind_, shown);
}

}  // namespace duomap
