#include "apps/bench/harness/start_up.hpp"

#include "apps/bench/harness/measured_program.hpp"
#include "core/error.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

namespace duomap::apps {
namespace {

double run_once(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  int status = ::posix_spawn(&child, measured_program().c_str(), &actions, nullptr, argv.data(), environ);
  if (status == 0) {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) throw error(exit_status::failed, "'" + measured_program() + "' cannot be run to be timed");
  return seconds.count();
}

}  // namespace

series time_program(const std::vector<std::string>& arguments, unsigned rounds, const run_control& control) {
  return comparison(control).alone({.name = arguments.front(),
                                    .run =
                                        [&] {
                                          return timed_run{.seconds = run_once(arguments)};
                                        }},
                                   rounds);
}

}  // namespace duomap::apps
