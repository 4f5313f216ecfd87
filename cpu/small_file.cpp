// Reads a whole file in parts of 4 KiB.
#include "cpu/small_file.hpp"

#include "core/file_descriptor.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace duomap::cpu {

std::string read_small_file(const std::string& path) {
  std::string text;
  const file_descriptor file = open_for_reading(path);
  if (!file) return text;
  std::array<char, 4096> part;
  while (true) {
    const ssize_t size = ::read(file.get(), part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

}  // namespace duomap::cpu
