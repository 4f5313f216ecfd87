// Maps a file, or reads and decompresses it into memory.
#include "numeric/common/whole_input.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"
#include "core/input/input.hpp"
#include "core/path_problem.hpp"
#include "core/run_control.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace duomap {

std::unique_ptr<source> only_source(const std::string& path, input_content content) {
  std::vector<std::unique_ptr<source>> sources = open_input({path}, content).release();
  if (sources.size() != 1) {
    throw input_error("cannot read " + quoted(path) + " as one table: it is a directory of " +
                      std::to_string(sources.size()) + " files; give one file");
  }
  return std::move(sources.front());
}

std::string shown_name(const source& from, const std::string& path) {
  return path == "-" ? from.name() : quoted(from.name());
}

whole_input::whole_input(const std::string& path, const run_control* control, input_content content) {
  std::unique_ptr<source> only = only_source(path, content);
  name_ = shown_name(*only, path);
  if (only->addressable()) {
    mapping_ = std::move(only);
  } else {
    read(*only, control);
    change_ = only->change();
  }
}

byte_view whole_input::bytes() const { return mapping_ == nullptr ? memory_.bytes() : mapping_->bytes(); }

void whole_input::read(const source& from, const run_control* control) {
  const std::unique_ptr<byte_stream> stream = from.open(control);
  const std::uint64_t expected = from.stored_size().value_or(0);
  constexpr std::uint64_t least = std::uint64_t{64} << 10;
  // The most bytes that are read between two checks for an interrupt.
  constexpr std::uint64_t at_once = std::uint64_t{4} << 20;
  std::uint64_t size = 0;
  try {
    memory_.reserve(std::max(least, expected + 1));
    for (;;) {
      stop_if_cancelled(control);
      if (size == memory_.capacity()) memory_.reserve(2 * size);
      const std::uint64_t count =
          stream->read(memory_.data() + size, std::min(at_once, memory_.capacity() - size));
      if (count == 0) break;
      size += count;
    }
  } catch (const std::bad_alloc&) {
    const bool is_compressed = promised_by(from.name()) != compression::none;
    throw out_of_memory(
        "there is no memory for the content of " + name_ + ", which needs at least " +
        std::to_string((std::max(size, expected) >> 20) + 1) +
        " MiB; free memory, or raise the limit (ulimit -v, cgroup)" +
        (is_compressed ? ", or give an uncompressed file, which is not read into memory" : ""));
  }
  memory_.resize(size);
}

}  // namespace duomap
