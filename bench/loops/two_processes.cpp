// Forks a second process, starts both through a socket, and waits for both answers.
#include "bench/loops/two_processes.hpp"

#include "bench/harness/comparison.hpp"
#include "bench/harness/subprocess.hpp"
#include "core/error.hpp"
#include "core/file_descriptor.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <type_traits>

namespace duomap::apps::loops {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// Sends small values to the other process and waits for values from it.
class other_process {
 public:
  explicit other_process(int socket) : socket_(socket) {}

  template <class Value>
  void send(const Value& value) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    if (::send(socket_.get(), &value, sizeof value, MSG_NOSIGNAL) != sizeof value)
      throw error(exit_status::failed, "the other process is gone");
  }
  template <class Value>
  [[nodiscard]] Value wait_for() const {
    Value value;
    if (::recv(socket_.get(), &value, sizeof value, MSG_WAITALL) != sizeof value)
      throw error(exit_status::failed, "the other process is gone");
    return value;
  }

 private:
  file_descriptor socket_;
};

/// Runs the second process: reports that it is ready, waits for the start, works, and sends its answer.
[[noreturn]] void run_second_process(int socket, const prepared_work& work) {
  int status = 1;
  try {
    const other_process first(socket);
    const auto once = work();
    static_cast<void>(once());
    first.send('r');
    static_cast<void>(first.wait_for<char>());
    first.send(once());
    status = 0;
  } catch (...) {
    // The first process reports the error: it has the same error, or finds that this process has ended.
  }
  ::_exit(status);
}

joint_run be_first(int socket, const prepared_work& work) {
  const other_process second(socket);
  const auto once = work();
  static_cast<void>(once());
  static_cast<void>(second.wait_for<char>());
  joint_run both;
  const auto start = clock::now();
  second.send('g');
  both.answer = once();
  const auto other = second.wait_for<answer_digest>();
  both.seconds = seconds_since(start);
  require_same_answer(other == both.answer, "the second process", "the first");
  return both;
}

}  // namespace

joint_run once_in_two_processes(const std::string& name, const prepared_work& work,
                                const run_control& control) {
  return value_from_subprocess<joint_run>(
      name,
      [&] {
        std::array<int, 2> sockets{};
        if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()) != 0)
          throw error(exit_status::failed, "a benchmark needs a pair of sockets");
        const pid_t second = ::fork();
        if (second < 0) throw error(exit_status::failed, "a benchmark needs a process");
        if (second == 0) {
          ::close(sockets[0]);
          run_second_process(sockets[1], work);
        }
        ::close(sockets[1]);
        const joint_run both = be_first(sockets[0], work);
        ::waitpid(second, nullptr, 0);
        return both;
      },
      child_end::at_once, control);
}

joint_run twice_in_one_process(const std::string& name, const prepared_work& work,
                               const run_control& control) {
  return value_from_subprocess<joint_run>(
      name,
      [&] {
        const auto once = work();
        static_cast<void>(once());
        joint_run both;
        const auto start = clock::now();
        both.answer = once();
        require_same_answer(once() == both.answer, "the second run", "the first");
        both.seconds = seconds_since(start);
        return both;
      },
      child_end::at_once, control);
}

}  // namespace duomap::apps::loops
