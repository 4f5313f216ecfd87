// Handles the signals that end a program, and removes its unfinished files.
#include "apps/cli/signals.hpp"

#include "core/error.hpp"
#include "core/input/bus_error_handler.hpp"
#include "core/output/pending_file.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace duomap::apps {

namespace {

// The seconds that a run gets to end in order; each thread finishes its chunk in milliseconds. After a longer
// wait a user thinks that the program hangs.
constexpr unsigned orderly_end_seconds = 1;

std::atomic<run_control*> the_control{nullptr};
std::atomic<end_action> the_end_action{nullptr};
std::atomic<bool> closed_pipes_are_told{false};
std::atomic<bool> large_files_are_told{false};
// The text that clears the line of a progress bar; empty when there is no bar.
std::atomic<const char*> line_start{""};

// All functions from here on may run in a signal handler, so they make only async-signal-safe calls.

void write_text(const char* text) {
  [[maybe_unused]] const ssize_t count = ::write(STDERR_FILENO, text, std::strlen(text));
}

void end_interrupted() {
  // If the result is just being renamed, it is complete. The process then ends by itself.
  if (!remove_pending_files()) {
    return;
  }
  if (const end_action act = the_end_action.load()) act();
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

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
         action.sa_handler == SIG_IGN;
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // Without SA_RESTART: a write that waits for a slow reader returns, and its caller sees the flag.
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void install_signal_handlers(run_control& control, end_action at_end) {
  the_control = &control;
  the_end_action = at_end;
  line_start = ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";

  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) {
      set_handler(signal, on_interrupt);
    }
  }
  set_handler(SIGALRM, on_interrupt);
  closed_pipes_are_told = is_ignored(SIGPIPE);
  large_files_are_told = is_ignored(SIGXFSZ);
  set_handler(SIGPIPE, SIG_IGN);
  set_handler(SIGXFSZ, SIG_IGN);

  install_bus_error_handler(line_start);
}

void restore_ignored_signals() {
  if (!closed_pipes_are_told) set_handler(SIGPIPE, SIG_DFL);
  if (!large_files_are_told) set_handler(SIGXFSZ, SIG_DFL);
}

void end_by_closed_pipe() {
  if (closed_pipes_are_told) return;
  set_handler(SIGPIPE, SIG_DFL);
  ::raise(SIGPIPE);
}

}  // namespace duomap::apps
