// Finds and parses the file that says how this duomap compiles tasks.
#include "apps/commands/own_task/toolkit.hpp"

#include "apps/cli/other_program.hpp"
#include "apps/commands/own_task/cuda_folder.hpp"
#include "apps/commands/own_task/file_text.hpp"
#include "core/error.hpp"

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace duomap::apps {
namespace {

void replace(std::string& value, std::string_view variable, const std::string& by) {
  if (const std::size_t at = value.find(variable); at != std::string::npos)
    value.replace(at, variable.size(), by);
}

}  // namespace

task_toolkit parse_toolkit(const std::string& text, const std::string& prefix,
                           const std::function<std::string(const std::string&)>& cuda) {
  task_toolkit kit;
  kit.text = text;
  std::string cuda_folder;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    const std::string name = line.substr(0, blank);
    std::string value = blank == std::string::npos ? "" : line.substr(blank + 1);
    replace(value, "{prefix}", prefix);
    replace(value, "{cuda}", cuda_folder);
    if (name == "cuda") {
      cuda_folder = cuda(value);
    } else if (name == "compiler") {
      kit.compiler = value;
    } else if (name == "include") {
      kit.include = value;
    } else if (name == "flag") {
      kit.flags.push_back(value);
    } else if (name == "link") {
      kit.link.push_back(value);
    } else if (name == "nvcc") {
      kit.nvcc = value;
    } else if (name == "nvcc_flag") {
      kit.nvcc_flags.push_back(value);
    } else {
      throw error(exit_status::failed, "the file task_toolkit of this duomap has the line '" + line +
                                           "', which this program does not know: install both anew");
    }
  }
  return kit;
}

task_toolkit find_toolkit() {
  const std::filesystem::path file =
      installed_file("task_toolkit", "../lib/duomap",
                     "the package libduomap-dev, or libduomap-cuda-dev, has what compiling a task takes");
  return parse_toolkit(file_text(file.string()), (file.parent_path() / "../..").lexically_normal().string(),
                       find_cuda);
}

}  // namespace duomap::apps
