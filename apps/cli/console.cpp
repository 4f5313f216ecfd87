#include "apps/cli/console.hpp"

#include "core/path_problem.hpp"

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
  std::string result;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    result += escaped_controls(text.substr(0, end)) + '\n';
    text.remove_prefix(end + 1);
  }
  return result + escaped_controls(text);
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
