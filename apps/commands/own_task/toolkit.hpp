// Knows the compilers, flags and libraries that make a program of a task, from a file that the build writes
// (cmake/task_toolkit.cmake).
// host only
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace duomap::apps {

struct task_toolkit {
  std::string text;                     ///< the text of the file
  std::string compiler;                 ///< path of the C++ compiler
  std::string include;                  ///< the folder of duomap's headers
  std::vector<std::string> flags;       ///< for the C++ compiler
  std::vector<std::string> link;        ///< libraries; each comes before those that it uses
  std::string nvcc;                     ///< path; empty without GPU code
  std::vector<std::string> nvcc_flags;  ///< for nvcc
};

/// Parses lines "name value". `prefix` replaces "{prefix}" in values. In later lines "{cuda}" becomes the
/// folder that `cuda` returns for the value of the line "cuda".
/// @throws error for a line with another name
[[nodiscard]] task_toolkit parse_toolkit(
    const std::string& text, const std::string& prefix,
    const std::function<std::string(const std::string& built_with)>& cuda);

/// Finds and parses the toolkit file of this program. The file lies beside a program in its build folder, and
/// in ../lib/duomap beside an installed program.
/// @throws error, which says how to get the file, when it is missing
[[nodiscard]] task_toolkit find_toolkit();

}  // namespace duomap::apps
