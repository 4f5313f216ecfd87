// Tests streams that read a file descriptor.
#include "core/input/file_stream.hpp"

#include "core/error.hpp"
#include "core/run_control.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace duomap::test::core_input_file_stream_test {

namespace {

struct pipe_ends {
  file_descriptor out;
  file_descriptor in;
};

pipe_ends open_pipe(int flags = 0) {
  int ends[2];
  REQUIRE(::pipe2(ends, flags) == 0);
  return {file_descriptor(ends[0]), file_descriptor(ends[1])};
}

bool write_all(const file_descriptor& to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(to.get(), text.data(), text.size());
    if (count < 0) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

TEST_CASE("a file stream gives the whole file", "[input][file_stream]") {
  const test::temporary_folder folder;
  for (const std::size_t size : {0U, 1U, 4095U, 4096U, 100'000U}) {
    const std::string text(size, 'x');
    for (const std::uint64_t capacity : {1U, 4096U, 1'000'000U}) {
      file_stream stream(open_for_reading(folder.write("file", text)), "file");
      CHECK((test::drain(stream, capacity) == text));
    }
  }
}

TEST_CASE("parts of a regular file are read in any order, and what follows is looked at",
          "[input][file_stream]") {
  const test::temporary_folder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + " ";
  const std::string path = folder.write("file", text);
  file_descriptor file = open_for_reading(path);
  file_state stamp(file.get(), path);
  auto stream = std::make_unique<file_stream>(std::move(file), "file", nullptr, text.size(), &stamp);
  std::string seen(10, '\0');
  CHECK(stream->look(100, seen.data(), 10) == 10);
  CHECK(seen == text.substr(100, 10));
  CHECK(stream->look(text.size() - 3, seen.data(), 10) == 3);
  CHECK(stream->look(text.size(), seen.data(), 10) == 0);
  CHECK(stream->read(seen.data(), 5) == 5);
  const auto first = stream->take_part(7);
  const auto second = stream->take_part(1000);
  REQUIRE((first && second));
  CHECK_FALSE(stream->take_part(text.size() - 1011));  // one byte more than the file has left
  CHECK((test::drain(*stream, 100) == text.substr(1012)));
  stream.reset();
  std::string bytes(1000, '\0');
  CHECK(second->read(bytes.data()) == 1000);
  CHECK((bytes == text.substr(12, 1000)));
  CHECK(first->read(bytes.data()) == 7);
  CHECK(bytes.substr(0, 7) == text.substr(5, 7));
  CHECK(stamp.change().empty());
  folder.write("file", text + "more");
  CHECK_THAT(stamp.change(), contains("grew"));
}

TEST_CASE("a pipe has no parts, and nobody looks ahead in it", "[input][file_stream]") {
  pipe_ends ends = open_pipe();
  REQUIRE(write_all(ends.in, "text"));
  file_stream stream(std::move(ends.out), "pipe");
  char byte = 0;
  CHECK_FALSE(stream.take_part(1));
  CHECK_FALSE(stream.look(0, &byte, 1));
  CHECK(stream.read(&byte, 1) == 1);
}

TEST_CASE("a read that a signal interrupts is taken up again", "[input][file_stream]") {
  static std::atomic<int> signals{0};
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {
    ++signals;
  };  // without SA_RESTART: read() comes back with EINTR
  REQUIRE(::sigaction(SIGUSR1, &action, &before) == 0);

  pipe_ends ends = open_pipe();
  const pthread_t reader = ::pthread_self();
  std::thread writer([&] {
    // 20 signals, so that one surely interrupts the waiting read. The data comes after them.
    for (int i = 0; i < 20; ++i) {
      ::pthread_kill(reader, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    write_all(ends.in, "late");
    ends.in = file_descriptor();
  });
  file_stream stream(std::move(ends.out), "pipe");
  const std::string text = test::drain(stream);
  writer.join();
  REQUIRE(::sigaction(SIGUSR1, &before, nullptr) == 0);
  CHECK(text == "late");
  CHECK(signals > 0);
}

TEST_CASE("a descriptor that does not block is waited for", "[input][file_stream]") {
  pipe_ends ends = open_pipe(O_NONBLOCK);
  const std::string sent(200'000, 'x');  // more than a pipe's buffer holds
  REQUIRE(::fcntl(ends.in.get(), F_SETFL, 0) == 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    write_all(ends.in, sent);
    ends.in = file_descriptor();
  });
  file_stream stream(std::move(ends.out), "pipe");
  const std::string text = test::drain(stream);
  writer.join();
  CHECK((text == sent));
}

TEST_CASE("a failed read names what it read and where", "[input][file_stream]") {
  file_stream directory(open_for_reading("/"), "'/'");
  char byte = 0;
  CHECK_THROWS_AS(directory.read(&byte, 1), input_error);
  file_stream again(open_for_reading("/"), "'/'");
  CHECK_THROWS_WITH(again.read(&byte, 1), test::contains("cannot read '/' at byte 0: "));
}

TEST_CASE("a read that waits ends when the run is cancelled", "[input][file_stream]") {
  for (const int flags : {0, O_NONBLOCK}) {
    auto [out, in] = open_pipe(flags);  // nobody writes, and nobody closes it
    run_control control;
    file_stream stream(std::move(out), "pipe", &control);
    std::thread other([&] { control.cancelled = true; });
    char byte = 0;
    CHECK_THROWS_AS(stream.read(&byte, 1), interrupted);
    other.join();
  }
}

TEST_CASE("a file stream gives no more than it is to", "[input][file_stream]") {
  const test::temporary_folder folder;
  for (const std::uint64_t most : {1U, 4095U, 9999U, 10'000U, 10'001U}) {
    file_stream stream(open_for_reading(folder.write("file", std::string(10'000, 'x'))), "file", nullptr,
                       most);
    CHECK(test::drain(stream).size() == std::min<std::uint64_t>(most, 10'000));
  }
}

}  // namespace duomap::test::core_input_file_stream_test
