// Lists temporary files in a table. A signal handler and exit() remove the files in it.
#include "core/output/pending_file.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace duomap {

namespace {

// The program needs two slots, for a result and a summary; programs that use the library may need more.
constexpr std::size_t slot_count = 8;

// A slot is null (free), or the path of a pending file, or `taken`. The file's owner sets and clears it.
// remove_pending_files() writes `taken`; then the process ends.
std::array<std::atomic<const char*>, slot_count> slots;
const char taken[] = "";

// The number of renames that are going on, or `process_ends`: one word, so that the two exclude each other.
constexpr int process_ends = -1;
std::atomic<int> renames{0};

static_assert(std::atomic<const char*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

[[noreturn]] void wait_for_the_end() {
  for (;;) {
    ::pause();
  }
}

class rename_guard {
 public:
  rename_guard() {
    int count = renames.load();
    do {
      if (count == process_ends) {
        wait_for_the_end();
      }
    } while (!renames.compare_exchange_weak(count, count + 1));
  }
  rename_guard(const rename_guard&) = delete;
  rename_guard& operator=(const rename_guard&) = delete;
  ~rename_guard() { renames.fetch_sub(1); }
};

std::atomic<const char*>* list(const char* path) {
  for (auto& slot : slots) {
    const char* expected = nullptr;
    if (slot.compare_exchange_strong(expected, path)) {
      return &slot;
    }
  }
  return nullptr;
}

// Clears a slot. From then on no handler uses the path, so the path may be freed.
void unlist(std::atomic<const char*>* slot, const char* path) {
  if (slot != nullptr && !slot->compare_exchange_strong(path, nullptr)) {
    wait_for_the_end();
  }
}

// Marks a slot as taken, removes its file, and returns its old content. Signal handlers may call it.
const char* take_and_unlink(std::atomic<const char*>& slot) noexcept {
  const char* const path = slot.exchange(taken);
  if (path != nullptr && path != taken) ::unlink(path);
  return path;
}

// Removes all files, but leaves them listed: their owners may be static objects, which end later.
void unlink_all() noexcept {
  for (auto& slot : slots) slot.store(take_and_unlink(slot));
}

// For libraries that end the process: libgfortran, which OpenBLAS needs, calls exit() if it finds no memory.
void unlink_at_exit() noexcept {
  static const pid_t writer = ::getpid();
  [[maybe_unused]] static const int registered = std::atexit([] {
    if (::getpid() == writer) unlink_all();  // a forked child leaves the files alone
  });
}

}  // namespace

pending_file::pending_file(std::string path) : path_(std::move(path)), slot_(list(path_.c_str())) {
  unlink_at_exit();
}

pending_file::~pending_file() {
  if (exists_) {
    ::unlink(path_.c_str());
    unlist(slot_, path_.c_str());
  }
}

void pending_file::rename_to(const std::string& target) {
  int error_number = 0;
  {
    const rename_guard guard;
    unlist(std::exchange(slot_, nullptr), path_.c_str());
    if (std::rename(path_.c_str(), target.c_str()) != 0) {
      error_number = errno;
    }
  }
  if (error_number != 0) {
    throw output_error("cannot rename the finished result to " + quoted(target) + ": " +
                       error_text(error_number) +
                       "; nothing of the result was kept; check the directory and run again");
  }
  exists_ = false;
}

bool remove_pending_files() noexcept {
  int count = 0;
  if (!renames.compare_exchange_strong(count, process_ends) && count != process_ends) {
    return false;
  }
  for (auto& slot : slots) static_cast<void>(take_and_unlink(slot));
  return true;
}

}  // namespace duomap
