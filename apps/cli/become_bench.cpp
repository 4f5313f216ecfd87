#include "apps/cli/become_bench.hpp"

#include "apps/cli/other_program.hpp"
#include "core/error.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace duomap::apps {

void become_bench(const char* const* argv) {
  const std::string path = other_program("duomap-bench", "../libexec/duomap",
                                         "'./dev bench' builds it, the package duomap-bench installs it");
  // execv returns only when it fails, and takes arguments that it does not change.
  ::execv(path.c_str(), const_cast<char* const*>(argv));
  throw error(exit_status::failed, "cannot start '" + path + "': " + std::strerror(errno));
}

}  // namespace duomap::apps
