// Tests the byte sink: all bytes arrive in order whatever the sizes of the writes, and every failure tells
// the number of missing bytes.
#include "core/output/byte_sink.hpp"

#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <random>
#include <string>
#include <string_view>
#include <thread>

namespace duomap::core_output_byte_sink_test {
namespace {

std::string random_bytes(std::mt19937& random, std::uint64_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(random());
  }
  return bytes;
}

}  // namespace

TEST_CASE("a sink writes texts of any size in order", "[core][output]") {
  std::mt19937 random(test::seed());
  const std::uint64_t capacity = byte_sink::capacity;
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{63}, capacity - 1,
                                   capacity, capacity + 1, 3 * capacity}) {
    for (const std::uint64_t before : {std::uint64_t{0}, std::uint64_t{1}, capacity - 1, capacity}) {
      const std::string first = random_bytes(random, before);
      const std::string second = random_bytes(random, size);
      CAPTURE(size, before, test::seed());
      const std::string result = test::written([&](byte_sink& sink) {
        sink.write(std::string_view(first));
        sink.write(std::string_view(second));
        sink.write('.');
      });
      REQUIRE((result == first + second + "."));
    }
  }
}

TEST_CASE("a sink mixes all ways of writing", "[core][output]") {
  std::mt19937 random(test::seed());
  std::string expected;
  const std::string result = test::written([&](byte_sink& sink) {
    while (expected.size() < 5 * byte_sink::capacity / 2) {
      const std::string piece =
          random_bytes(random, random() % (random() % 8 == 0 ? 2 * byte_sink::capacity : 32));
      if (piece.size() == 1) {
        sink.write(piece[0]);
      } else if (piece.size() <= byte_sink::capacity && random() % 2 == 0) {
        char* const room = sink.reserve(byte_sink::capacity);
        piece.copy(room, piece.size());
        sink.advance(piece.size());
      } else {
        sink.write(std::string_view(piece));
      }
      expected += piece;
    }
  });
  CAPTURE(test::seed());
  REQUIRE((result == expected));
}

TEST_CASE("a sink counts what it has handed over", "[core][output]") {
  test::written([](byte_sink& sink) {
    sink.write(std::string_view("abc"));
    CHECK(sink.bytes_written() == 0);
    sink.flush();
    CHECK(sink.bytes_written() == 3);
    sink.flush();
    CHECK(sink.bytes_written() == 3);
  });
}

TEST_CASE("a sink calls its hook once, before the first byte", "[core][output]") {
  int calls = 0;
  test::written([&](byte_sink& sink) {
    sink.before_first_write([&](byte_view) {
      ++calls;
      CHECK(sink.bytes_written() == 0);
    });
    sink.flush();
    CHECK(calls == 0);
    sink.write('a');
    CHECK(calls == 0);
    sink.flush();
    CHECK(calls == 1);
    sink.write('b');
  });
  CHECK(calls == 1);
}

TEST_CASE("what was not flushed is dropped", "[core][output]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("out", "");
  const file_descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  { byte_sink(file.get(), "x").write('a'); }
  CHECK(test::content(path).empty());
}

TEST_CASE("a full disk is an error that says so", "[core][output]") {
  const file_descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  REQUIRE(full);
  byte_sink stays(full.get(), "'/dev/full'");
  stays.write('a');
  CHECK_THROWS_WITH(
      stays.flush(),
      "cannot write to '/dev/full': No space left on device (after 0 bytes); the result there is "
      "incomplete; free some space or write to another place");
  byte_sink removed(full.get(), "'x'", partial_output::removed);
  removed.write('a');
  CHECK_THROWS_WITH(removed.flush(), test::contains("nothing of the result was kept"));
  byte_sink large(full.get(), "'x'");
  CHECK_THROWS_AS(large.write(std::string_view(std::string(byte_sink::capacity + 1, 'x'))), output_error);
}

TEST_CASE("a file size limit is an error that counts what was written", "[core][output]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("out", "");
  const file_descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  const test::ignored_signal ignored(SIGXFSZ);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{1000, before.rlim_max};
  byte_sink sink(file.get(), "the file");
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  std::string message;
  try {
    sink.write(std::string_view(std::string(byte_sink::capacity + 2000, 'x')));
  } catch (const output_error& problem) {
    message = problem.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  CHECK_THAT(message, test::contains("File too large (after 1000 bytes)") && test::contains("ulimit -f"));
}

TEST_CASE("a closed pipe is told apart", "[core][output]") {
  const test::ignored_signal ignored(SIGPIPE);
  test::pipe_ends ends;
  byte_sink sink(ends.write.get(), "standard output");
  sink.write(std::string_view("12345"));
  sink.flush();
  ends.read = file_descriptor();
  sink.write('6');
  try {
    sink.flush();
    FAIL("no error");
  } catch (const closed_pipe& problem) {
    CHECK(problem.status() == exit_status::failed);
    CHECK_THAT(problem.what(), test::contains("the reader of standard output closed it after 5 bytes"));
  }
}

TEST_CASE("writing waits for a descriptor that does not block", "[core][output]") {
  test::pipe_ends ends;
  ::fcntl(ends.write.get(), F_SETFL, O_NONBLOCK);
  // Larger than a pipe's buffer, so the writer has to wait for the reader.
  const std::string text(std::size_t{1} << 20, 'x');
  std::thread writer([&] {
    byte_sink sink(ends.write.get(), "pipe");
    sink.write(std::string_view(text));
    sink.flush();
    ends.write = file_descriptor();
  });
  std::uint64_t received = 0;
  char buffer[5000];
  for (ssize_t count = 0; (count = ::read(ends.read.get(), buffer, sizeof buffer)) > 0;) {
    received += static_cast<std::uint64_t>(count);
  }
  writer.join();
  CHECK(received == text.size());
}

TEST_CASE("interrupted system calls go on", "[core][output]") {
  static std::atomic<int> signals{0};
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {
    signals.fetch_add(1);
  };  // without SA_RESTART
  REQUIRE(::sigaction(SIGUSR1, &action, &before) == 0);

  test::pipe_ends ends;
  const std::string text(std::size_t{1} << 20, 'x');
  std::atomic<bool> done{false};
  std::thread writer([&] {
    byte_sink sink(ends.write.get(), "pipe");
    sink.write(std::string_view(text));
    sink.flush();
    done = true;
    ends.write = file_descriptor();
  });
  const pthread_t thread = writer.native_handle();
  std::uint64_t received = 0;
  char buffer[512];
  for (ssize_t count = 0; (count = ::read(ends.read.get(), buffer, sizeof buffer)) > 0;) {
    received += static_cast<std::uint64_t>(count);
    if (!done) {
      ::pthread_kill(thread, SIGUSR1);
    }
  }
  writer.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  CHECK(received == text.size());
  CHECK(signals > 0);
}

TEST_CASE("a cancelled run writes no more", "[core][output]") {
  test::pipe_ends ends;
  run_control control;
  byte_sink sink(ends.write.get(), "pipe", partial_output::stays, &control);
  sink.write('a');
  sink.flush();
  control.cancelled = true;
  sink.write('b');
  CHECK_THROWS_AS(sink.flush(), interrupted);
  CHECK(ends.drain() == "a");
}

}  // namespace duomap::core_output_byte_sink_test
