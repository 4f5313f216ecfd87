// Loads each library once, by its descriptor, and keeps it loaded.
#include "loaded_library.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace duomap::python {

void* symbol_of_library(file_descriptor library, const char* symbol) {
  struct loaded {
    void* handle;
    file_descriptor file;
  };
  static std::mutex lock;
  static std::map<std::pair<dev_t, ino_t>, loaded> all;

  struct stat found {};
  if (::fstat(library.get(), &found) != 0)
    throw input_error("the compiled task cannot be loaded: " + error_text(errno));
  const std::lock_guard guard(lock);
  auto one = all.find({found.st_dev, found.st_ino});
  if (one == all.end()) {
    // The descriptor stays open, so that no later library gets its number. dlopen() knows libraries by their
    // names, and would return this library for the same name /proc/self/fd/NUMBER.
    const std::string name = "/proc/self/fd/" + std::to_string(library.get());
    void* const handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      const char* const problem = ::dlerror();
      throw input_error(
          "the compiled task cannot be loaded: " + std::string(problem == nullptr ? "" : problem) +
          "; set XDG_CACHE_HOME to a folder whose programs may run");
    }
    one = all.emplace(std::pair(found.st_dev, found.st_ino), loaded{handle, std::move(library)}).first;
  }
  return ::dlsym(one->second.handle, symbol);
}

}  // namespace duomap::python
