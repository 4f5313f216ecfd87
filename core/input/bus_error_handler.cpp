#include "core/input/bus_error_handler.hpp"

#include "core/error.hpp"
#include "core/input/mapping_registry.hpp"
#include "core/output/pending_file.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

namespace duomap {

namespace {

std::atomic<const char*> before_message{""};

// Only async-signal-safe calls from here on.

void say(const char* text) {
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text, std::strlen(text));
}

// As escaped_controls(), which asks for memory.
void say_name(const char* name) {
  constexpr char digits[] = "0123456789abcdef";
  unsigned char before = 0;
  for (; *name != 0; ++name) {
    const auto code = static_cast<unsigned char>(*name);
    const bool second_set = before == 0xC2 && (code & 0xE0U) == 0x80;
    const char hexadecimal[] = {'\\', 'x', digits[code >> 4U], digits[code & 0xFU], 0};
    const char plain[] = {*name, 0};
    say(code < 0x20 || code == 0x7F || second_set ? hexadecimal : plain);
    before = code;
  }
}

void on_bus_error(int signal, siginfo_t* info, void* /*context*/) {
  const char* const name = mapping_name(info->si_addr);
  if (name == nullptr) {
    // Not an input of ours: returning repeats the fault, which now has its default effect.
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
