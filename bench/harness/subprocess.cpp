// Forks, sends the child's result or error through a pipe, and waits for the child.
#include "bench/harness/subprocess.hpp"

#include "bench/harness/bench_context.hpp"
#include "core/error.hpp"
#include "core/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

namespace duomap::apps {
namespace {

// The first byte of a child's report.
constexpr char returned = 'R', failed = 'F';

void write_all(int to, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(to, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the parent has gone, and nobody reads the rest
    at += static_cast<std::size_t>(count);
  }
}

[[noreturn]] void call_in_child(const std::function<std::string()>& work, child_end end, int report_to) {
  // The child must not outlive a parent that ends without waiting.
  ::prctl(PR_SET_PDEATHSIG, end == child_end::in_order ? SIGTERM : SIGKILL);
  exit_status status = exit_status::ok;
  std::string report;
  try {
    report = returned + work();
  } catch (const error& problem) {
    status = problem.status();
    report = failed + std::string(problem.what());
  } catch (const std::bad_alloc&) {
    status = exit_status::out_of_memory;
    report = failed + std::string("the memory did not suffice");
  } catch (const std::exception& problem) {
    status = exit_status::failed;
    report = failed + std::string(problem.what());
  }
  write_all(report_to, report);
  // _exit() instead of exit(): the child must not run the functions that the parent registered for its end.
  std::fflush(stderr);
  ::_exit(static_cast<int>(status));
}

// Reads until the child closes the pipe. Passes no interrupt to a child that ends in order, because a
// terminal sends it one. A second interrupt would end the child before it removes its files.
std::string read_report(int from, pid_t child, child_end end, const run_control& control) {
  std::string text;
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t count = ::read(from, part.data(), part.size());
    if (count < 0 && errno == EINTR) {
      if (end == child_end::at_once && is_cancelled(&control)) ::kill(child, SIGKILL);
      continue;
    }
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::string call_in_subprocess(const std::string& name, const std::function<std::string()>& work,
                               child_end end, const run_control& control) {
  int ends[2];
  // Close-on-exec: a program that outlives its benchmark would otherwise keep the pipe open.
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw error(exit_status::failed, std::string("a benchmark needs a pipe: ") + std::strerror(errno));
  const file_descriptor from(ends[0]);
  file_descriptor to(ends[1]);
  const pid_t child = ::fork();
  if (child < 0)
    throw error(exit_status::failed, std::string("a benchmark needs a process: ") + std::strerror(errno));
  if (child == 0) call_in_child(work, end, to.get());
  to = file_descriptor();
  const std::string report = read_report(from.get(), child, end, control);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  stop_if_cancelled(&control);
  if (!report.empty() && report.front() == returned && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return report.substr(1);
  if (!WIFEXITED(status) || report.empty())
    throw error(exit_status::failed,
                "the benchmark of " + name + " ended without a result" +
                    (WIFSIGNALED(status) ? " (signal " + std::to_string(WTERMSIG(status)) + ")" : ""));
  const std::string problem = report.substr(1);
  switch (static_cast<exit_status>(WEXITSTATUS(status))) {
    case exit_status::interrupted:
      throw interrupted();
    case exit_status::usage:
      throw usage_error(problem);
    case exit_status::device_unavailable:
      throw device_unavailable(problem);
    default:
      throw error(static_cast<exit_status>(WEXITSTATUS(status)), problem);
  }
}

}  // namespace duomap::apps
