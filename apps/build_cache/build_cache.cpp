// Finds, makes, lists and removes entries of the build cache, under locks between processes.
#include "apps/build_cache/build_cache.hpp"

#include "apps/build_cache/build_sources.hpp"
#include "apps/build_cache/private_folder.hpp"
#include "core/cache_folder.hpp"
#include "core/error.hpp"
#include "core/partial/stored/checksum.hpp"
#include "core/path_problem.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <thread>
#include <tuple>
#include <utility>

namespace duomap::apps {

namespace {

constexpr const char* lock_name = "lock";
constexpr const char* identity_name = "identity";  // a folder without this file is no entry
constexpr const char* sources_name = "sources";
constexpr const char* title_name = "title";
constexpr std::string_view unfinished_prefix = "new-";  // before the name of an unfinished entry

constexpr std::size_t name_digits = 16;

std::uint64_t number_of(std::string_view digits) {
  return std::strtoull(std::string(digits).c_str(), nullptr, 16);
}

std::string name_of(const std::string& identity) {
  std::array<char, name_digits + 1> name;
  std::snprintf(name.data(), name.size(), "%016llx",
                static_cast<unsigned long long>(checksum_of({identity.data(), identity.size()})));
  return name.data();
}

// Whether `name` is the name of an entry. Besides entries, only the file of locks is ever removed.
bool is_entry(std::string_view name) {
  if (name.starts_with(unfinished_prefix)) name.remove_prefix(unfinished_prefix.size());
  return name.size() == name_digits && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The lock of an entry: one byte of the file of locks, at a place that the name decides. The file itself is
// empty.
struct flock lock_of(std::string_view name, short type) {
  if (name.starts_with(unfinished_prefix)) name.remove_prefix(unfinished_prefix.size());
  struct flock place {};
  place.l_type = type;
  place.l_whence = SEEK_SET;
  place.l_start = static_cast<off_t>(number_of(name) >> 2U);
  place.l_len = 1;
  return place;
}

struct flock lock_of_all() {
  struct flock place {};
  place.l_type = F_WRLCK;
  place.l_whence = SEEK_SET;
  return place;
}

bool has_name(const file_descriptor& file) {
  struct stat found {};
  return ::fstat(file.get(), &found) == 0 && found.st_nlink > 0;
}

double seconds_since(const timespec& then) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<double>(now.tv_sec - then.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec - then.tv_nsec);
}

}  // namespace

std::string usual_build_folder() {
  const std::string folder = cache_folder([](const char* name) { return std::getenv(name); });
  if (folder.empty())
    throw usage_error(
        "there is no folder for compiled tasks: set HOME or XDG_CACHE_HOME to an absolute path");
  return folder + "/tasks";
}

build_cache::build_cache(std::string path) : path_(std::move(path)), folder_(open_private_folder(path_)) {}

file_descriptor build_cache::find(const std::string& identity) const {
  if (!folder_) return {};
  const file_descriptor entry = open_folder_at(folder_.get(), name_of(identity));
  if (!entry) return {};
  // The product is opened first. If another process removes the entry meanwhile, the product is either open
  // and complete or missing.
  file_descriptor made = open_own_file_at(entry.get(), product);
  const file_descriptor its_identity = open_own_file_at(entry.get(), identity_name);
  if (!made || !its_identity || whole_text(its_identity) != identity) return {};
  const std::optional<std::string> sources = own_text_at(entry.get(), sources_name);
  if (!sources || !are_unchanged(*sources)) return {};
  const std::array<timespec, 2> used{timespec{0, UTIME_NOW}, timespec{0, UTIME_NOW}};
  // A failure is ignored: the cache then takes the entry for older than it is, and removes it earlier.
  static_cast<void>(::futimens(its_identity.get(), used.data()));
  return made;
}

file_descriptor build_cache::find_or_make(const std::string& identity, const build_work& work) {
  if (file_descriptor found = find(identity)) return found;
  if (!folder_) folder_ = make_private_folder(path_);
  const std::string name = name_of(identity);
  const file_descriptor locked = lock(name, true, work);
  // Another process may have made the entry while this one waited for the lock.
  if (file_descriptor found = find(identity)) return found;
  file_descriptor made = make(name, identity, work);
  make_room(name);
  return made;
}

file_descriptor build_cache::lock(const std::string& name, bool wait, const build_work& work) const {
  constexpr std::chrono::milliseconds pause{10};
  for (bool told = false;;) {
    file_descriptor file(::openat(folder_.get(), lock_name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    struct flock place = lock_of(name, F_WRLCK);
    if (file && ::fcntl(file.get(), F_OFD_SETLK, &place) == 0) {
      if (has_name(file)) return file;
      continue;  // clear() has removed this file of locks, so try its successor
    }
    if (!wait) return {};
    if (!file || (errno != EAGAIN && errno != EACCES && errno != EINTR))
      throw output_error("cannot lock " + quoted(path_ + "/" + lock_name) + ": " + error_text(errno) +
                         "; set XDG_CACHE_HOME to a folder on a file system with locks");
    if (!std::exchange(told, true)) work.waiting();
    stop_if_cancelled(work.control);
    std::this_thread::sleep_for(pause);
  }
}

file_descriptor build_cache::make(const std::string& name, const std::string& identity,
                                  const build_work& work) const {
  // The holder of the lock owns this name. A process that was killed may have left a folder of that name.
  const std::string unfinished = std::string(unfinished_prefix) + name;
  remove_at(folder_.get(), unfinished);
  constexpr mode_t owner_only = 0700;
  const bool there = ::mkdirat(folder_.get(), unfinished.c_str(), owner_only) == 0;
  const file_descriptor folder = there ? open_folder_at(folder_.get(), unfinished) : file_descriptor();
  if (!folder) throw output_error(path_problem(path_ + "/" + unfinished, errno));
  try {
    const std::optional<std::string> sources = work.make(folder.get());
    file_descriptor made = open_own_file_at(folder.get(), product);
    if (!made) throw output_error("the compiler has left no program in " + quoted(path_ + "/" + unfinished));
    if (!sources) {
      remove_at(folder_.get(), unfinished);
      return made;
    }
    write_text_at(folder.get(), title_name, work.title);
    write_text_at(folder.get(), sources_name, *sources);
    write_text_at(folder.get(), identity_name, identity);
    ::fsync(made.get());
    // A rename does not replace a folder that has files, so the old entry is removed first. A process that
    // runs the old program keeps its open file.
    static_cast<void>(remove(name));
    if (::renameat(folder_.get(), unfinished.c_str(), folder_.get(), name.c_str()) != 0)
      throw output_error(path_problem(path_ + "/" + name, errno));
    return made;
  } catch (...) {
    remove_at(folder_.get(), unfinished);
    throw;
  }
}

bool build_cache::remove(const std::string& name) const {
  // The identity goes first. Without it the folder is no entry, even if this process is killed before it has
  // removed the rest.
  if (const file_descriptor entry = open_folder_at(folder_.get(), name))
    ::unlinkat(entry.get(), identity_name, 0);
  remove_at(folder_.get(), name);
  struct stat left {};
  return ::fstatat(folder_.get(), name.c_str(), &left, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

void build_cache::make_room(const std::string& latest) const {
  std::uint64_t all = 0;
  for (const cached_build& one : entries()) {
    all += one.bytes;
    if (one.name == latest || (all <= most_bytes && !one.title.empty())) continue;
    // An entry that another process is making is locked, and stays.
    if (const file_descriptor locked = lock(one.name, false, {})) static_cast<void>(remove(one.name));
  }
}

std::vector<cached_build> build_cache::entries() const {
  std::vector<cached_build> all;
  if (!folder_) return all;
  for (const std::string& name : names_in(folder_.get())) {
    // Another process may remove the entry while this one lists it.
    const file_descriptor entry = is_entry(name) ? open_folder_at(folder_.get(), name) : file_descriptor();
    struct stat used {};
    if (!entry || ::fstat(entry.get(), &used) != 0) continue;
    cached_build one{.name = name, .title = {}};
    for (const std::string& file : names_in(entry.get())) {
      struct stat found {};
      if (::fstatat(entry.get(), file.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0)
        one.bytes += static_cast<std::uint64_t>(found.st_size);
    }
    if (const file_descriptor identity = open_own_file_at(entry.get(), identity_name);
        identity && !name.starts_with(unfinished_prefix)) {
      one.title = own_text_at(entry.get(), title_name).value_or("");
      static_cast<void>(::fstat(identity.get(), &used));
    }
    one.unused_seconds = seconds_since(used.st_mtim);
    all.push_back(std::move(one));
  }
  std::ranges::sort(all, [](const cached_build& a, const cached_build& b) {
    return std::tie(a.unused_seconds, a.name) < std::tie(b.unused_seconds, b.name);
  });
  return all;
}

std::size_t build_cache::clear() const {
  std::size_t removed = 0;
  for (const cached_build& one : entries()) {
    const file_descriptor locked = lock(one.name, false, {});
    if (locked && remove(one.name)) ++removed;
  }
  if (!folder_) return removed;
  const file_descriptor file(::openat(folder_.get(), lock_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  struct flock all = lock_of_all();
  if (file && ::fcntl(file.get(), F_OFD_SETLK, &all) == 0) ::unlinkat(folder_.get(), lock_name, 0);
  return removed;
}

}  // namespace duomap::apps
