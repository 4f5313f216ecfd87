// Writes messages to standard error, coloured where a terminal shows them.
#include "apps/cli/console.hpp"

#include "core/path_problem.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace duomap::apps {

namespace {

std::atomic<colour_choice> chosen{colour_choice::automatic};

}  // namespace

void choose_colour(colour_choice choice) noexcept { chosen.store(choice, std::memory_order_relaxed); }

bool is_terminal(int descriptor) {
  const char* const terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb" && ::isatty(descriptor) == 1;
}

std::size_t terminal_columns(int descriptor) {
  constexpr std::size_t usual = 80;
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 ? usual : size.ws_col;
}

bool colour_wanted(int descriptor) {
  const colour_choice choice = chosen.load(std::memory_order_relaxed);
  if (choice != colour_choice::automatic) return choice == colour_choice::always;
  const char* const no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') {
    return false;
  }
  return is_terminal(descriptor);
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
