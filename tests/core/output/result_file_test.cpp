// Tests that a result appears complete or not at all, and that bad targets are refused before any work.
#include "core/output/result_file.hpp"

#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace duomap::core_output_result_file_test {
namespace {

using names = std::vector<std::string>;

void write_result(const std::string& path, std::string_view text) {
  result_file file(path);
  file.sink().write(text);
  file.commit();
}

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

// Makes a descriptor standard output as long as the object lives.
class standard_output_as {
 public:
  explicit standard_output_as(int descriptor) : saved_(::dup(STDOUT_FILENO)) {
    if (descriptor >= 0) {
      ::dup2(descriptor, STDOUT_FILENO);
    } else {
      ::close(STDOUT_FILENO);
    }
  }
  standard_output_as(const standard_output_as&) = delete;
  standard_output_as& operator=(const standard_output_as&) = delete;
  ~standard_output_as() { ::dup2(saved_.get(), STDOUT_FILENO); }

 private:
  file_descriptor saved_;
};

}  // namespace

TEST_CASE("a result appears with commit and not before", "[core][output]") {
  const test::temporary_folder folder;
  const std::string path = folder.path("result.tsv");
  result_file file(path);
  CHECK(file.atomic());
  file.sink().write(std::string_view("a\t1\n"));
  file.sink().flush();
  const names during = test::names_in(folder.path());
  REQUIRE(during.size() == 1);
  CHECK(during[0].starts_with("."));
  file.commit();
  CHECK(test::names_in(folder.path()) == names{"result.tsv"});
  CHECK(test::content(path) == "a\t1\n");
}

TEST_CASE("an empty result is an empty file", "[core][output]") {
  const test::temporary_folder folder;
  write_result(folder.path("r"), "");
  CHECK(test::names_in(folder.path()) == names{"r"});
  CHECK(test::content(folder.path("r")).empty());
}

TEST_CASE("without commit the old file stays and nothing else", "[core][output]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("r", "old");
  {
    result_file file(path);
    file.sink().write(std::string_view("new"));
    file.sink().flush();
    CHECK(test::content(path) == "old");
  }
  CHECK(test::names_in(folder.path()) == names{"r"});
  CHECK(test::content(path) == "old");
}

TEST_CASE("a write that fails leaves the old file", "[core][output]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("r", "old");
  const test::ignored_signal ignored(SIGXFSZ);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{10, before.rlim_max};
  bool failed = false;
  {
    result_file file(path);
    file.sink().write(std::string_view("more than ten bytes"));
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    try {
      file.commit();
    } catch (const output_error&) {
      failed = true;
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
  }
  CHECK(failed);
  CHECK(test::names_in(folder.path()) == names{"r"});
  CHECK(test::content(path) == "old");
}

TEST_CASE("a new file has the permissions that the umask leaves", "[core][output]") {
  const test::temporary_folder folder;
  for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{077}}) {
    const mode_t before = ::umask(mask);
    const std::string path = folder.path("mask" + std::to_string(mask));
    write_result(path, "x");
    ::umask(before);
    CHECK(mode_of(path) == (0666 & ~mask));
  }
}

TEST_CASE("an old file's permissions are kept", "[core][output]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("r", "old");
  for (const mode_t mode : {mode_t{0600}, mode_t{0755}, mode_t{0666}}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    write_result(path, "new");
    CHECK(mode_of(path) == mode);
  }
}

// Runs in place of fchmod(). The exit status tells whether others may open the file before that call.
void tell_permissions(int, siginfo_t*, void* context) {
  struct stat status {};
  ::fstat(static_cast<int>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RDI]), &status);
  ::_exit((status.st_mode & 077) == 0 ? 21 : 22);
}

TEST_CASE("what replaces a private file is private before it has its permissions", "[core][output]") {
  const test::temporary_folder folder;
  const std::string path = folder.write("r", "old");
  REQUIRE(::chmod(path.c_str(), 0600) == 0);
  const test::child_end end = test::in_child([&] {
    ::umask(0);
    struct sigaction action {};
    action.sa_sigaction = tell_permissions;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGSYS, &action, nullptr);
    sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fchmod, 0, 1),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog program{static_cast<unsigned short>(std::size(rules)), rules};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      ::_exit(23);
    const result_file file(path);
  });
  if (end.status == 23) {
    WARN("not tested: this system lets no process filter its calls");
    return;
  }
  CHECK(end.status == 21);
}

TEST_CASE("a symbolic link keeps pointing to the file that is replaced", "[core][output]") {
  const test::temporary_folder folder;
  folder.write("data/real", "old");
  std::filesystem::create_symlink("data/real", folder.path("relative"));
  std::filesystem::create_symlink(folder.path("relative"), folder.path("absolute"));
  write_result(folder.path("absolute"), "new");
  CHECK(test::content(folder.path("data/real")) == "new");
  CHECK(std::filesystem::is_symlink(folder.path("relative")));
  CHECK(std::filesystem::is_symlink(folder.path("absolute")));
  CHECK(test::names_in(folder.path("data")) == names{"real"});

  std::filesystem::create_symlink("data/not there yet", folder.path("dangling"));
  write_result(folder.path("dangling"), "first");
  CHECK(std::filesystem::is_symlink(folder.path("dangling")));
  CHECK(test::content(folder.path("data/not there yet")) == "first");

  std::filesystem::create_symlink("loop", folder.path("loop"));
  CHECK_THROWS_WITH(result_file(folder.path("loop")), test::contains("symbolic links"));
}

TEST_CASE("a name without a folder is in the current one", "[core][output]") {
  const test::temporary_folder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_result("r", "x");
  std::filesystem::current_path(before);
  CHECK(test::names_in(folder.path()) == names{"r"});
}

TEST_CASE("targets that cannot be written are refused at once", "[core][output]") {
  const test::temporary_folder folder;
  folder.write("file", "");
  CHECK_THROWS_AS(result_file(""), usage_error);
  CHECK_THROWS_WITH(result_file(folder.path()), test::contains("it is a directory"));
  CHECK_THROWS_WITH(result_file(folder.path("missing/r")), test::contains("its directory does not exist"));
  CHECK_THROWS_WITH(result_file(folder.path("new/")), test::contains("its directory does not exist"));
  CHECK_THROWS_WITH(result_file(folder.path("file/r")), test::contains("Not a directory"));
  CHECK_THROWS_WITH(result_file(folder.path(std::string(300, 'x') + "/r")),
                    test::contains("File name too long"));
  if (::geteuid() != 0) {
    REQUIRE(::chmod(folder.write("read only", "").c_str(), 0444) == 0);
    CHECK_THROWS_WITH(result_file(folder.path("read only")), test::contains("Permission denied"));
    std::filesystem::create_directory(folder.path("locked"));
    REQUIRE(::chmod(folder.path("locked").c_str(), 0555) == 0);
    CHECK_THROWS_WITH(result_file(folder.path("locked/r")), test::contains("Permission denied"));
    std::filesystem::remove(folder.path("read only"));
    std::filesystem::remove(folder.path("locked"));
  }
  CHECK(test::names_in(folder.path()) == names{"file"});
}

TEST_CASE("a name as long as the system allows works", "[core][output]") {
  const test::temporary_folder folder;
  const std::string name(255, 'n');
  write_result(folder.path(name), "x");
  CHECK(test::names_in(folder.path()) == names{name});
}

TEST_CASE("special files are written directly", "[core][output]") {
  {
    result_file file("/dev/null");
    CHECK_FALSE(file.atomic());
    file.sink().write('x');
    file.commit();
  }
  const test::temporary_folder folder;
  const std::string path = folder.path("fifo");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::thread writer([&] { write_result(path, "through the pipe"); });
  const std::string text = test::content(path);
  writer.join();
  CHECK(text == "through the pipe");
  CHECK(test::names_in(folder.path()) == names{"fifo"});
}

TEST_CASE("standard output under all its names", "[core][output]") {
  const test::temporary_folder folder;
  for (const std::string name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const std::string path = folder.write("redirected", "");
    const file_descriptor target(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    bool atomic = true;
    {
      const standard_output_as redirected(target.get());
      [[maybe_unused]] const ssize_t count = ::write(STDOUT_FILENO, "before ", 7);
      result_file file(name);
      atomic = file.atomic();
      file.sink().write(std::string_view("result"));
      file.commit();
    }
    CAPTURE(name);
    CHECK_FALSE(atomic);
    CHECK(test::content(path) == "before result");
  }
}

TEST_CASE("a closed standard output is refused at once", "[core][output]") {
  std::string message;
  const file_descriptor read_only(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  for (const int descriptor : {-1, read_only.get()}) {
    {
      const standard_output_as closed(descriptor);
      try {
        result_file file("-");
      } catch (const output_error& problem) {
        message = problem.what();
      }
    }
    CHECK_THAT(message, test::contains("cannot write to standard output: it is closed"));
  }
}

}  // namespace duomap::core_output_result_file_test
