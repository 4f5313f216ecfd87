#include "apps/cli/console.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace duomap::apps {

bool colour_wanted(int descriptor) {
  const char* const no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') {
    return false;
  }
  const char* const terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb" && ::isatty(descriptor) == 1;
}

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  result.reserve(text.size());
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if ((code < 0x20 && byte != '\n') || code == 0x7F) {
      result += "\\x";
      result += digits[code >> 4U];
      result += digits[code & 0xFU];
    } else {
      result += byte;
    }
  }
  return result;
}

void say(std::string_view message) { write_standard_error("duomap: " + printable(message) + "\n"); }

void say_error(std::string_view message) {
  const bool colour = colour_wanted(STDERR_FILENO);
  write_standard_error(std::string("duomap: ") + (colour ? "\033[1;31merror:\033[0m " : "error: ") +
                       printable(message) + "\n");
}

void write_standard_error(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace duomap::apps
