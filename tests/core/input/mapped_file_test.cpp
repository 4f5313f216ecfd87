// Tests memory-mapped files, and the registry that tells a signal handler which file an address belongs to.
#include "core/input/mapped_file.hpp"

#include "core/chunk.hpp"
#include "core/file_descriptor.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <deque>
#include <numeric>
#include <thread>

namespace duomap::test::core_input_mapped_file_test {

namespace {

std::unique_ptr<mapped_file> map(const std::string& path) {
  const file_descriptor file = open_for_reading(path);
  REQUIRE(file);
  file_state stamp(file.get(), path);
  return mapped_file::map(file.get(), path, stamp);
}

}  // namespace

TEST_CASE("a mapped file has its bytes and readable ones behind them", "[input][mapped_file]") {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const test::temporary_folder folder;
  for (const std::uint64_t size :
       {std::uint64_t{1}, read_padding, page - read_padding - 1, page - read_padding, page - read_padding + 1,
        page - 1, page, page + 1, 2 * page, 7 * page, 256 * page - 1, 256 * page}) {
    CAPTURE(size);
    std::string text(size, '\0');
    std::iota(text.begin(), text.end(), '\1');
    const std::unique_ptr<mapped_file> mapped = map(folder.write("file", text));
    REQUIRE(mapped != nullptr);
    CHECK(mapped->addressable());
    CHECK(mapped->units() == size);
    CHECK(mapped->stored_size() == size);
    CHECK((mapped->bytes().text() == text));
    // Vector loads may read the padding behind the end. The sum is 0 only if all these bytes are 0.
    CHECK(std::accumulate(mapped->bytes().end(), mapped->bytes().end() + read_padding, 0) == 0);
  }
}

TEST_CASE("what the system does not map is left to streams", "[input][mapped_file]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("f", "bytes");
  // No system maps a file that the process may only write.
  const file_descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  REQUIRE(file);
  file_state stamp(file.get(), path);
  CHECK(mapped_file::map(file.get(), path, stamp) == nullptr);
  CHECK(stamp.size() == 5);
}

TEST_CASE("the registry names the mapping of an address", "[input][mapping_registry]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("file", "0123456789");
  std::unique_ptr<mapped_file> mapped = map(path);
  REQUIRE(mapped != nullptr);
  const char* const begin = mapped->bytes().data;
  CHECK(mapping_name(begin) == path);
  CHECK(mapping_name(begin + 9) == path);
  CHECK(mapping_name(begin - 1) == nullptr);
  CHECK(mapping_name(&path) == nullptr);
  CHECK(mapping_name(nullptr) == nullptr);
  mapped.reset();
  CHECK(mapping_name(begin) == nullptr);
}

TEST_CASE("a full registry forgets nobody and goes on", "[input][mapping_registry]") {
  const std::vector<char> memory(max_mappings + 100);
  std::deque<mapping_registration> listed;
  for (const char& byte : memory) {
    listed.emplace_back(&byte, 1, "file");
  }
  const auto named = std::count_if(memory.begin(), memory.end(),
                                   [](const char& byte) { return mapping_name(&byte) != nullptr; });
  CHECK(named > 0);
  CHECK(static_cast<std::size_t>(named) <= max_mappings);
  listed.clear();
  CHECK(mapping_name(&memory.front()) == nullptr);
  const mapping_registration again(memory.data(), memory.size(), "again");
  CHECK(std::string(mapping_name(&memory.back())) == "again");
}

TEST_CASE("a mapping is found while others come and go", "[input][mapping_registry]") {
  const std::vector<char> memory(3 * 64);
  const mapping_registration mine(memory.data() + 64, 64, "mine");
  std::atomic<bool> stop{false};
  std::vector<std::thread> others;
  for (const char* const place : {memory.data(), memory.data() + 128}) {
    others.emplace_back([place, &stop] {
      while (!stop) {
        const mapping_registration other(place, 64, "other");
      }
    });
  }
  bool found = true;
  for (int i = 0; i < 200; ++i) {
    const char* const name = mapping_name(memory.data() + 64 + i % 64);
    found = found && name != nullptr && std::strcmp(name, "mine") == 0;
  }
  stop = true;
  for (std::thread& other : others) {
    other.join();
  }
  CHECK(found);
}

namespace {

// The test sets this descriptor before it installs the handler; the handler writes to it.
int answer_descriptor = -1;

void answer_with_name(int, siginfo_t* info, void*) {
  const char* const name = mapping_name(info->si_addr);
  const char* const text = name == nullptr ? "unknown" : name;
  const bool told = ::write(answer_descriptor, text, std::strlen(text)) >= 0;
  ::_exit(told ? 7 : 8);
}

}  // namespace

TEST_CASE("a handler can name the file that shrank while it was read", "[input][mapping_registry]") {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const test::temporary_folder folder;
  const std::string path = folder.write("shrinking", std::string(8 * page, 'x'));
  const std::unique_ptr<mapped_file> mapped = map(path);
  REQUIRE(mapped != nullptr);

  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const file_descriptor answer(ends[0]);
  file_descriptor question(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    struct sigaction action {};
    action.sa_sigaction = answer_with_name;
    action.sa_flags = SA_SIGINFO;
    answer_descriptor = question.get();
    if (::sigaction(SIGBUS, &action, nullptr) != 0 || ::truncate(path.c_str(), 1) != 0) {
      ::_exit(9);
    }
    const volatile char* const bytes = mapped->bytes().data;
    ::_exit(bytes[5 * page] == 'x' ? 10 : 11);
  }
  REQUIRE(child > 0);
  question = file_descriptor();
  std::string name(4096, '\0');
  const ssize_t size = ::read(answer.get(), name.data(), name.size());
  name.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(name == path);
}

}  // namespace duomap::test::core_input_mapped_file_test
