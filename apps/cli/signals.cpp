#include "apps/cli/signals.hpp"

#include "core/error.hpp"
#include "core/input/mapping_registry.hpp"
#include "core/output/pending_file.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace duomap::apps {

namespace {

// Leaves are milliseconds, so an orderly end takes far less; longer waits look like a program that hangs.
constexpr unsigned orderly_end_seconds = 1;

std::atomic<run_control*> the_control{nullptr};
// Removes the progress bar when there may be one.
std::atomic<const char*> line_start{""};

// Only async-signal-safe calls from here on.

void write_text(const char* text) {
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text, std::strlen(text));
}

void end_interrupted() {
  // A result that is just getting its name is finished: the process ends by itself right after.
  if (!remove_pending_files()) {
    return;
  }
  write_text(line_start.load());
  write_text("duomap: error: interrupted before the result was complete\n");
  ::_exit(static_cast<int>(exit_status::interrupted));
}

void on_interrupt(int /*signal*/) {
  const int saved = errno;
  if (the_control.load()->cancelled.exchange(true)) {
    end_interrupted();
  } else {
    ::alarm(orderly_end_seconds);
  }
  errno = saved;
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
  write_text(line_start.load());
  write_text("duomap: error: '");
  write_text(name);
  write_text(
      "' shrank or became unreadable while it was being read; leave inputs alone during a run, check "
      "the disk, and run again\n");
  ::_exit(static_cast<int>(exit_status::bad_input));
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
         action.sa_handler == SIG_IGN;
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // Without SA_RESTART: a write that waits for a slow reader returns and its caller sees the flag.
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void install_signal_handlers(run_control& control) {
  the_control = &control;
  line_start = ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";

  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) {
      set_handler(signal, on_interrupt);
    }
  }
  set_handler(SIGALRM, on_interrupt);
  set_handler(SIGPIPE, SIG_IGN);
  set_handler(SIGXFSZ, SIG_IGN);

  struct sigaction bus_error {};
  bus_error.sa_sigaction = on_bus_error;
  bus_error.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &bus_error, nullptr);
}

}  // namespace duomap::apps
