// Replaces this process by the program of the benchmarks.
#include "apps/cli/become_bench.hpp"

#include "apps/cli/other_program.hpp"

#include <string>

namespace duomap::apps {

void become_bench(const char* const* argv) {
  become_program(installed_file("duomap-bench", "../libexec/duomap",
                                "'./dev bench' builds it, the package duomap-bench installs it"),
                 argv);
}

}  // namespace duomap::apps
