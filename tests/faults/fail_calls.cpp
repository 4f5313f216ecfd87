// Makes one call of a program fail. When preloaded, it counts the calls of the function $DUOMAP_FAIL_CALL in
// all threads, from main() on. Call $DUOMAP_FAIL_AT fails; with $DUOMAP_FAIL_ON, all later calls fail too.
// $DUOMAP_FAIL_ERRNO is the error to give, instead of the function's usual error. The file $DUOMAP_FAIL_MARK
// is made when a call fails, so a test that tries all numbers knows the last one; for calls that look at a
// path, the file has the path.
//
// A program that is linked with this file calls duomap_fail_at() for each call that is to fail.
//
// With the function "kill" or "wait", all calls about files count. Before the call with the number, the
// process is killed, or waits until somebody removes the mark.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

std::atomic<bool> counting{false};
std::atomic<long> calls{0};
const char* wanted = "";
const char* mark = nullptr;
long fail_at = 0;
int fail_errno = 0;
bool fail_on = false;
enum class at_call { fail, kill, wait };
at_call what = at_call::fail;

// Calls that look at a path without a change.
constexpr std::array<const char*, 7> looks{"stat",     "lstat",  "fstat",    "fstatat",
                                           "readlink", "access", "faccessat"};

bool is_about_files(const char* name) {
  return std::strcmp(name, "malloc") != 0 && std::strcmp(name, "mmap") != 0 &&
         std::strcmp(name, "pthread_create") != 0 &&
         std::none_of(looks.begin(), looks.end(),
                      [&](const char* one) { return std::strcmp(name, one) == 0; });
}

// Makes the mark by system calls of its own, which do not count.
void make_mark(const char* path) {
  const long file = ::syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  ::syscall(SYS_write, file, path, std::strlen(path));
  ::syscall(SYS_close, file);
}

void wait_while_marked() {
  const timespec moment{0, 1'000'000};
  const int kept = errno;
  while (::syscall(SYS_faccessat, AT_FDCWD, mark, F_OK) == 0)
    ::syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, nullptr);
  errno = kept;
}

bool fails(const char* name, const char* path = "") {
  if (!counting.load()) return false;
  if (what == at_call::fail ? std::strcmp(name, wanted) != 0 : !is_about_files(name)) return false;
  const long number = calls.fetch_add(1) + 1;
  if (number < fail_at || (number > fail_at && !fail_on)) return false;
  if (number == fail_at && mark != nullptr) make_mark(path);
  if (what == at_call::kill) std::raise(SIGKILL);
  if (what == at_call::wait) wait_while_marked();
  return what == at_call::fail;
}

template <class Function>
Function next(Function, const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

int (*program_main)(int, char**, char**);

int counted_main(int argc, char** argv, char** environment) {
  const char* const call = std::getenv("DUOMAP_FAIL_CALL");
  const char* const at = std::getenv("DUOMAP_FAIL_AT");
  mark = std::getenv("DUOMAP_FAIL_MARK");
  fail_on = std::getenv("DUOMAP_FAIL_ON") != nullptr;
  if (const char* const number = std::getenv("DUOMAP_FAIL_ERRNO")) fail_errno = std::atoi(number);
  if (call != nullptr && at != nullptr) {
    wanted = call;
    if (std::strcmp(call, "kill") == 0) what = at_call::kill;
    if (std::strcmp(call, "wait") == 0 && mark != nullptr) what = at_call::wait;
    fail_at = std::atol(at);
    counting = true;
  }
  const int status = program_main(argc, argv, environment);
  counting = false;
  return status;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

// Makes a call that looks at a path: gives the system's result, or a failure.
template <class Call>
auto looked(const char* name, const char* path, const Call& call) -> decltype(call()) {
  if (!fails(name, path)) return call();
  errno = fail_errno != 0 ? fail_errno : EACCES;
  return -1;
}

}  // namespace

extern "C" {

// From now on, the n-th call of a function fails; with number 0 none fails. Returns whether the call chosen
// before has failed.
bool duomap_fail_at(const char* call, long number);
bool duomap_fail_at(const char* call, long number) {
  counting = false;
  const bool failed = fail_at > 0 && calls.load() >= fail_at;
  wanted = call;
  fail_at = number;
  calls = 0;
  counting = number > 0;
  return failed;
}

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  program_main = main;
  using start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto real = reinterpret_cast<start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

void* malloc(size_t size) {
  if (!fails("malloc")) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}

void* calloc(size_t count, size_t size) {
  if (!fails("malloc")) return __libc_calloc(count, size);
  errno = ENOMEM;
  return nullptr;
}

void* realloc(void* old, size_t size) {
  if (!fails("malloc")) return __libc_realloc(old, size);
  errno = ENOMEM;
  return nullptr;
}

void* aligned_alloc(size_t alignment, size_t size) {
  if (!fails("malloc")) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return nullptr;
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
  if (fails("malloc")) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) {
  if (fails("mmap")) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(::syscall(SYS_mmap, address, size, protection, flags, file, offset));
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  if (fails("open")) {
    errno = EMFILE;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

ssize_t read(int file, void* to, size_t size) {
  if (fails("read")) {
    errno = EIO;
    return -1;
  }
  return ::syscall(SYS_read, file, to, size);
}

ssize_t pread(int file, void* to, size_t size, off_t offset) {
  if (fails("pread")) {
    errno = EIO;
    return -1;
  }
  return ::syscall(SYS_pread64, file, to, size, offset);
}

ssize_t write(int file, const void* from, size_t size) {
  if (fails("write")) {
    errno = ENOSPC;
    return -1;
  }
  return ::syscall(SYS_write, file, from, size);
}

int fsync(int file) {
  if (fails("fsync")) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, file));
}

int rename(const char* from, const char* to) {
  if (fails("rename")) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_rename, from, to));
}

int flock(int file, int operation) {
  if (fails("flock")) {
    errno = ENOLCK;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_flock, file, operation));
}

int fchmod(int file, mode_t mode) {
  if (fails("fchmod")) {
    errno = EPERM;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fchmod, file, mode));
}

int fchown(int file, uid_t owner, gid_t group) {
  if (fails("fchown")) {
    errno = EPERM;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fchown, file, owner, group));
}

int unlink(const char* path) {
  if (fails("unlink")) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_unlink, path));
}

int mkdir(const char* path, mode_t mode) {
  if (fails("mkdir")) {
    errno = ENOSPC;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_mkdir, path, mode));
}

int stat(const char* __restrict path, struct stat* __restrict found) noexcept {
  return looked("stat", path,
                [&] { return static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, path, found, 0)); });
}

int lstat(const char* __restrict path, struct stat* __restrict found) noexcept {
  return looked("lstat", path, [&] {
    return static_cast<int>(::syscall(SYS_newfstatat, AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW));
  });
}

int fstat(int file, struct stat* found) noexcept {
  return looked("fstat", "", [&] { return static_cast<int>(::syscall(SYS_fstat, file, found)); });
}

int fstatat(int folder, const char* __restrict path, struct stat* __restrict found, int flags) noexcept {
  return looked("fstatat", path,
                [&] { return static_cast<int>(::syscall(SYS_newfstatat, folder, path, found, flags)); });
}

ssize_t readlink(const char* __restrict path, char* __restrict to, size_t size) noexcept {
  return looked("readlink", path, [&] { return ::syscall(SYS_readlink, path, to, size); });
}

int access(const char* path, int mode) noexcept {
  return looked("access", path, [&] { return static_cast<int>(::syscall(SYS_access, path, mode)); });
}

int faccessat(int folder, const char* path, int mode, int flags) noexcept {
  return looked("faccessat", path, [&] {
    static const auto real = next(&faccessat, "faccessat");
    return real(folder, path, mode, flags);
  });
}

int close(int file) {
  if (fails("close")) {
    ::syscall(SYS_close, file);
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_close, file));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (fails("pthread_create")) return EAGAIN;
  static const auto real = next(&pthread_create, "pthread_create");
  return real(thread, attributes, start, argument);
}

}  // extern "C"
