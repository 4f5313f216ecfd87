// Starts a program in a process group, waits for it, and kills the group.
#include "apps/build_cache/child_group.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string_view>
#include <thread>

namespace duomap::apps {

namespace {

// The running groups, which kill_child_groups() kills; 0 is a free place. duomap starts at most two compilers
// at once. A ninth group gets no place: only its child_group ends it.
std::array<std::atomic<pid_t>, 8> listed;

void list(pid_t leader) {
  for (auto& place : listed) {
    pid_t free = 0;
    if (place.compare_exchange_strong(free, leader)) return;
  }
}

void unlist(pid_t leader) {
  for (auto& place : listed) {
    pid_t expected = leader;
    if (place.compare_exchange_strong(expected, 0)) return;
  }
}

// Blocks all signals, so that none ends this process between the start of a group and its entry in the list.
class signals_held {
 public:
  signals_held() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  signals_held(const signals_held&) = delete;
  signals_held& operator=(const signals_held&) = delete;
  ~signals_held() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

std::vector<std::string> environment_with(const std::string& temporary) {
  constexpr std::string_view name = "TMPDIR=";
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    if (temporary.empty() || !std::string_view(*one).starts_with(name)) all.emplace_back(*one);
  }
  if (!temporary.empty()) all.push_back(std::string(name) + temporary);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

child_group::child_group(const std::vector<std::string>& words, const child_place& place) {
  std::vector<std::string> copies = words, variables = environment_with(place.temporary);
  const std::vector<char*> argv = pointers_to(copies), environment = pointers_to(variables);
  // The child gets the default actions for the signals that this process ignores. SIGTTOU is blocked: it
  // would stop a group in the background that writes to the terminal.
  sigset_t standard, held;
  sigemptyset(&standard);
  sigaddset(&standard, SIGPIPE);
  sigaddset(&standard, SIGXFSZ);
  sigemptyset(&held);
  sigaddset(&held, SIGTTOU);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  posix_spawnattr_setsigmask(&attributes, &held);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (place.said >= 0) {
    posix_spawn_file_actions_adddup2(&actions, place.said, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, place.said, STDERR_FILENO);
  }
  if (place.kept >= 0) posix_spawn_file_actions_adddup2(&actions, place.kept, place.kept);
  if (place.folder >= 0) posix_spawn_file_actions_addfchdir_np(&actions, place.folder);
  int problem = 0;
  {
    const signals_held until_listed;
    problem = ::posix_spawn(&leader_, argv[0], &actions, &attributes, argv.data(), environment.data());
    if (problem == 0) list(leader_);
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (problem != 0)
    throw error(exit_status::failed,
                "cannot start " + quoted(words[0]) + ": " + error_text(problem) + "; check that program");
}

child_group::~child_group() {
  if (!ended_) end();
}

bool child_group::wait_for_success(const run_control* control) {
  constexpr std::chrono::milliseconds pause{5};
  while (!ended_) {
    // WNOWAIT keeps the ended process as a zombie, so no other process can get its number before unlist().
    siginfo_t found{};
    const int looked = ::waitid(P_PID, static_cast<id_t>(leader_), &found, WEXITED | WNOHANG | WNOWAIT);
    if ((looked == 0 && found.si_pid == leader_) || (looked != 0 && errno != EINTR)) {
      well_ = looked == 0 && found.si_code == CLD_EXITED && found.si_status == 0;
      unlist(leader_);
      while (::waitpid(leader_, nullptr, 0) < 0 && errno == EINTR) {
      }
      ended_ = true;
    } else if (is_cancelled(control)) {
      end();
    } else {
      std::this_thread::sleep_for(pause);
    }
  }
  stop_if_cancelled(control);
  return well_;
}

void child_group::end() {
  ::kill(-leader_, SIGKILL);
  unlist(leader_);
  while (::waitpid(leader_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
}

void kill_child_groups() noexcept {
  for (const auto& place : listed) {
    if (const pid_t leader = place.load()) ::kill(-leader, SIGKILL);
  }
}

}  // namespace duomap::apps
