// Tests that a signal ends the program with the right status and leaves no half-written file.
#include "apps/cli/signals.hpp"

#include "core/input/input.hpp"
#include "core/input/mapping_registry.hpp"
#include "core/output/result_file.hpp"
#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>

namespace duomap::apps::apps_cli_signals_test {
namespace {

run_control control;

// A test runner may ignore signals, and its child processes inherit that.
void prepare() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(signal, SIG_DFL);
  }
  install_signal_handlers(control);
}

}  // namespace

TEST_CASE("the first interrupt only sets the flag", "[apps]") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const test::child_end end = test::in_child([&] {
      prepare();
      ::raise(signal);
      ::alarm(0);
      ::_exit(control.cancelled ? 11 : 12);
    });
    CAPTURE(signal);
    CHECK(end.exited);
    CHECK(end.status == 11);
    CHECK(end.error_output.empty());
  }
}

TEST_CASE("the second interrupt ends the program", "[apps]") {
  const test::temporary_folder folder;
  const test::child_end end = test::in_child([&] {
    prepare();
    result_file result(folder.path("result"));
    result.sink().write(std::string_view("half"));
    result.sink().flush();
    ::raise(SIGINT);
    ::raise(SIGTERM);
  });
  CHECK(end.exited);
  CHECK(end.status == 130);
  CHECK(end.error_output == "duomap: error: interrupted before the result was complete\n");
  CHECK(test::names_in(folder.path()).empty());
}

TEST_CASE("what a program does before an interrupt ends it at once", "[apps]") {
  const test::child_end end = test::in_child([] {
    install_signal_handlers(control, []() noexcept { ::_exit(17); });
    ::raise(SIGTERM);
    ::raise(SIGTERM);
  });
  CHECK(end.exited);
  CHECK(end.status == 17);
}

TEST_CASE("an interrupt ends a program that does not look at the flag", "[apps]") {
  const test::temporary_folder folder;
  const test::child_end end = test::in_child([&] {
    prepare();
    const result_file result(folder.path("result"));
    ::raise(SIGINT);
    for (;;) {
      ::pause();
    }
  });
  CHECK(end.status == 130);
  CHECK(test::names_in(folder.path()).empty());
}

TEST_CASE("ignored interrupts stay ignored", "[apps]") {
  const test::child_end end = test::in_child([] {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGHUP, SIG_IGN);
    install_signal_handlers(control);
    ::raise(SIGINT);
    ::raise(SIGHUP);
    ::_exit(control.cancelled ? 11 : 12);
  });
  CHECK(end.status == 12);
}

TEST_CASE("an input that shrinks while it is read is named", "[apps]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("shrinking\033[2J.txt", std::string(std::size_t{4} << 20, 'x'));
  const test::child_end end = test::in_child([&] {
    prepare();
    const result_file result(folder.path("result"));
    const input files = open_input({path});
    if (!files[0].addressable()) {
      ::_exit(20);
    }
    const byte_view bytes = files[0].bytes();
    std::filesystem::resize_file(path, 4096);
    const volatile char last = bytes[bytes.size - 1];
    ::_exit(last == 'x' ? 21 : 22);
  });
  CHECK(end.exited);
  CHECK(end.status == 5);
  CHECK_THAT(end.error_output,
             test::contains("shrinking\\x1b[2J.txt' shrank or became unreadable while it was being read"));
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"shrinking\033[2J.txt"});
}

TEST_CASE("a bus error outside the inputs keeps its usual effect", "[apps]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("private", "");
  const test::child_end end = test::in_child([&] {
    prepare();
    const file_descriptor file = open_for_reading(path);
    const void* const page = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file.get(), 0);
    const volatile char byte = *static_cast<const char*>(page);
    ::_exit(byte == 0 ? 21 : 22);
  });
  // A sanitizer reports the signal itself and then exits.
  CHECK((end.exited ? end.status != 21 && end.status != 22 : end.status == SIGBUS));
}

}  // namespace duomap::apps::apps_cli_signals_test
