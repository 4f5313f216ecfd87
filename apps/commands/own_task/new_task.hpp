// Does `duomap new`, which writes the first files of a user's own task.
// host only
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {

/// The parts of a new task, in the words of the command line.
struct new_task {
  std::string name;
  std::string format = "words";
  std::string key = "bytes";
  std::string reduce = "sum";
};

/// The allowed words for format, key and reduce.
[[nodiscard]] const std::vector<std::string>& new_task_formats();
[[nodiscard]] const std::vector<std::string>& new_task_keys();
[[nodiscard]] const std::vector<std::string>& new_task_reductions();

/// Names and contents of the files: the header NAME.hpp, CMakeLists.txt, and a sample of the input.
/// @throws usage_error for a name that is no name of a type, and for parts that do not fit together
[[nodiscard]] std::vector<std::pair<std::string, std::string>> files_of(const new_task& task);

/// Writes the files into a new folder NAME. Returns the commands to type next.
/// @throws usage_error as files_of(), and when NAME exists already; output_error
[[nodiscard]] std::string write_new_task(const new_task& task);

}  // namespace duomap::apps
