// Handles SIGBUS with async-signal-safe calls only.
#include "core/input/bus_error_handler.hpp"

#include "core/byte_view.hpp"
#include "core/error.hpp"
#include "core/input/mapping_registry.hpp"
#include "core/output/pending_file.hpp"
#include "core/text/utf8.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

namespace duomap {

namespace {

std::atomic<const char*> before_message{""};

// From here on only async-signal-safe calls.

void say(byte_view text) {
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text.data, text.size);
}

// Writes a name as escaped_controls() does, without allocating memory.
void say_name(const char* name) {
  constexpr char digits[] = "0123456789abcdef";
  const byte_view text(name, std::strlen(name));
  for (std::uint64_t i = 0; i < text.size;) {
    const std::uint64_t length = printable_length(text, i);
    const auto code = static_cast<unsigned char>(text[i]);
    const char hexadecimal[] = {'\\', 'x', digits[code >> 4U], digits[code & 0xFU]};
    say(length > 0 ? text.sub(i, length) : byte_view(hexadecimal, sizeof hexadecimal));
    i += length > 0 ? length : 1;
  }
}

void on_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  const char* const name = mapping_name(info->si_addr);
  if (name == nullptr) {
    // No input of duomap has this address. The handler sets the default action and returns: the instruction
    // faults again, and the process ends as usual.
    struct sigaction fallback {};
    fallback.sa_handler = SIG_DFL;
    ::sigaction(signal, &fallback, nullptr);
    return;
  }
  static_cast<void>(remove_pending_files());
  say(before_message.load());
  say("duomap: error: '");
  say_name(name);
  say("' shrank or became unreadable while it was being read; leave inputs alone during a run, check "
      "the disk, and run again\n");
  ::_exit(static_cast<int>(exit_status::bad_input));
}

}  // namespace

void install_bus_error_handler(const char* line_start) {
  before_message = line_start;
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace duomap
