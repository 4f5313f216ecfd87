// What it takes to compile a task with this duomap: a file that the build writes (cmake/task_toolkit.cmake).
// host only
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace duomap::apps {

struct task_toolkit {
  std::string text;                     ///< the file
  std::string compiler;                 ///< path of the C++ compiler
  std::string include;                  ///< the folder of duomap's headers
  std::vector<std::string> flags;       ///< of the C++ compiler
  std::vector<std::string> link;        ///< libraries, behind what uses them
  std::string nvcc;                     ///< path; empty without GPU code
  std::vector<std::string> nvcc_flags;  ///< of nvcc
};

/// Lines "name value". `prefix` stands for "{prefix}" in them, and for "{cuda}" what `cuda` makes of the
/// value of the line "cuda" before them.
/// @throws error for a line that is none of these
[[nodiscard]] task_toolkit parse_toolkit(
    const std::string& text, const std::string& prefix,
    const std::function<std::string(const std::string& built_with)>& cuda);

/// That of this program: beside it, where it was built, or below ../lib/duomap, where it is installed.
/// @throws error when there is none, which says how to get it
[[nodiscard]] task_toolkit find_toolkit();

}  // namespace duomap::apps
