// Starts a program, counts the rows it writes to a pipe, and waits for its end.
#include "bench/harness/piped_program.hpp"

#include "core/error.hpp"
#include "core/file_descriptor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <sstream>

namespace duomap::apps {
namespace {

// Four times a pipe's capacity, so that the reader seldom blocks the program.
constexpr std::size_t buffer_bytes = std::size_t{256} << 10;

/// Waits for data or the end of the pipe. Returns false when `until` comes first.
bool wait_to_read(int from, std::chrono::steady_clock::time_point until) {
  for (;;) {
    const std::chrono::duration<double, std::milli> left = until - std::chrono::steady_clock::now();
    if (left.count() <= 0) return false;
    pollfd one{from, POLLIN, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::min(left.count() + 1, 1e6)));
    if (ready > 0 || (ready < 0 && errno != EINTR)) return true;
  }
}

/// Counts the newlines that arrive before `until`. Sets `closed` to whether the program closed its output by
/// then.
std::uint64_t count_rows(int from, std::chrono::steady_clock::time_point until, bool& closed) {
  std::vector<char> buffer(buffer_bytes);
  std::uint64_t rows = 0;
  closed = true;
  for (;;) {
    if (!wait_to_read(from, until)) {
      closed = false;
      return rows;
    }
    const ssize_t size = ::read(from, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return rows;
    rows += static_cast<std::uint64_t>(std::count(buffer.begin(), buffer.begin() + size, '\n'));
  }
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

void require_status(const piped_run& ended, const std::string& path, int most) {
  if (ended.status > most)
    throw error(exit_status::failed,
                path + " ended with status " + std::to_string(ended.status) + " while it was timed");
}

std::string find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = folder + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

piped_run run_piped(const std::string& path, const std::vector<std::string>& arguments, double most_seconds) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw error(exit_status::failed, "a benchmark needs a pipe");
  const file_descriptor from(ends[0]);
  file_descriptor to(ends[1]);
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  std::string locale = "LC_ALL=C";
  environment.push_back(locale.data());
  environment.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  piped_run run;
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = ::posix_spawn(&child, path.c_str(), &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) throw error(exit_status::failed, "cannot start " + path + " to be timed");
  to = file_descriptor();
  // The limit is at most a century, which clocks can still count.
  const std::chrono::duration<double> most(std::min(most_seconds, 3e9));
  bool closed = false;
  run.rows = count_rows(
      from.get(), start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(most), closed);
  run.stopped = !closed;
  if (run.stopped) ::kill(child, SIGKILL);
  rusage used{};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  if (run.stopped) return run;
  if (!WIFEXITED(status))
    throw error(exit_status::failed, path + " was ended by a signal while it was timed");
  run.status = WEXITSTATUS(status);
  return run;
}

}  // namespace duomap::apps
