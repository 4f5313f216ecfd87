// Reads a stream into memory, so that an iterative job can address its units.
#include "core/input/resident_input.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <cstddef>
#include <new>
#include <string>
#include <utility>

namespace duomap {
namespace {

constexpr std::size_t bytes_at_a_time = std::size_t{1} << 20;

std::string read_all(const source& one) {
  std::string all;
  try {
    const auto stream = one.open();
    std::size_t size = 0;
    while (true) {
      all.resize(size + bytes_at_a_time);
      const std::uint64_t got = stream->read(all.data() + size, bytes_at_a_time);
      size += got;
      if (got == 0) break;
    }
    all.resize(size);
  } catch (const std::bad_alloc&) {
    throw out_of_memory("no memory to keep " + quoted(one.name()) + " in, of which " +
                        std::to_string(all.size()) +
                        " bytes had been read; decompress it into a file, which can be mapped");
  }
  return all;
}

}  // namespace

resident_input::resident_input(const input& from, bool binary) : from_(from) {
  if (from.size() > 1) {
    throw usage_error("an iterative job has one source, and this input has " + std::to_string(from.size()) +
                      ", beginning with " + quoted(from[0].name()) + "; put them into one file");
  }
  if (from.size() == 1 && !from[0].addressable()) owned_ = text_input(read_all(from[0]), from[0].name());
  if (from.size() == 1 && binary) require_binary(from[0]);
}

}  // namespace duomap
