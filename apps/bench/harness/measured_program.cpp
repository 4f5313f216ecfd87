#include "apps/bench/harness/measured_program.hpp"

#include "apps/cli/other_program.hpp"

namespace duomap::apps {

const std::string& measured_program() {
  static const std::string path = other_program("duomap", "../../bin", "'./dev build' builds it");
  return path;
}

}  // namespace duomap::apps
