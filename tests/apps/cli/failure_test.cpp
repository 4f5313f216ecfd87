// Tests that each kind of error has its exit status and a message of one line.
#include "apps/cli/failure.hpp"

#include "core/error.hpp"
#include "core/output/byte_sink.hpp"
#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <csignal>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

namespace duomap::apps::apps_cli_failure_test {
namespace {

test::child_end failing_with(const std::function<void()>& action) {
  return test::in_child([&] {
    try {
      action();
    } catch (...) {
      ::_exit(report_failure());
    }
  });
}

}  // namespace

TEST_CASE("exceptions become messages and statuses", "[apps]") {
  struct expectation {
    std::function<void()> action;
    int status;
    std::string message;
  };
  const std::vector<expectation> cases = {
      {[] { throw usage_error("use it so"); }, 2, "use it so"},
      {[] { throw device_unavailable("no GPU"); }, 3, "no GPU"},
      {[] { throw out_of_memory("1 TB asked for"); }, 4, "1 TB asked for"},
      {[] { throw input_error("'x' is missing"); }, 5, "'x' is missing"},
      {[] { throw output_error("disk full"); }, 1, "disk full"},
      {[] { throw broken_law("not associative"); }, 1, "not associative"},
      {[] { throw interrupted(); }, 130, "interrupted"},
      {[] { throw std::bad_alloc(); }, 4, "out of memory"},
      {[] { throw std::logic_error("a.cpp:1: no"); }, 1, "internal error: a.cpp:1: no"},
      {[] { throw 7; }, 1, "internal error of unknown kind"},
  };
  for (const expectation& expected : cases) {
    const test::child_end end = failing_with(expected.action);
    CAPTURE(expected.message, end.error_output);
    CHECK(end.exited);
    CHECK(end.status == expected.status);
    CHECK(end.error_output.starts_with("duomap: error: " + expected.message));
    CHECK(end.error_output.ends_with("\n"));
    CHECK(std::count(end.error_output.begin(), end.error_output.end(), '\n') == 1);
  }
}

TEST_CASE("a closed pipe ends the program as SIGPIPE does, without a word", "[apps]") {
  const test::child_end end = failing_with([] { throw closed_pipe("reader gone"); });
  CHECK_FALSE(end.exited);
  CHECK(end.status == SIGPIPE);
  CHECK(end.error_output.empty());
}

}  // namespace duomap::apps::apps_cli_failure_test
