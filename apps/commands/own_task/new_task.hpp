// `duomap new`: the first files of a task of one's own.
// host only
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {

/// What a new task is made of, in the words of the command line.
struct new_task {
  std::string name;
  std::string format = "words";
  std::string key = "bytes";
  std::string reduce = "sum";
};

/// What the three may be.
[[nodiscard]] const std::vector<std::string>& new_task_formats();
[[nodiscard]] const std::vector<std::string>& new_task_keys();
[[nodiscard]] const std::vector<std::string>& new_task_reductions();

/// Names and contents of the files: the header NAME.hpp, CMakeLists.txt, and a sample of the input.
/// @throws usage_error for a name that is no name of a type, and for parts that do not fit together
[[nodiscard]] std::vector<std::pair<std::string, std::string>> files_of(const new_task& task);

/// Writes the files into a new folder NAME. Gives what to type next.
/// @throws usage_error as files_of(), and when there is something of that name; output_error
[[nodiscard]] std::string write_new_task(const new_task& task);

}  // namespace duomap::apps
