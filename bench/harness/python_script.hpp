// Runs a Python script that duomap is compared with.
// host only
#pragma once

#include "bench/harness/temporary_folder.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// Runs a shell command and returns its output. @throws error when the command cannot be started
[[nodiscard]] std::string output_of(const std::string& command);

/// A script in a temporary folder.
class python_script {
 public:
  /// @param python the interpreter
  python_script(const std::string& python, std::string_view text);

  /// A path in the script's folder, for files that the script reads or writes.
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_.path() + "/" + name; }

  /// The shell command that calls the script and discards its errors.
  [[nodiscard]] std::string command(const std::vector<std::string>& arguments) const;

  /// Calls the script and returns its output.
  [[nodiscard]] std::string run(const std::vector<std::string>& arguments) const {
    return output_of(command(arguments));
  }

 private:
  temporary_folder folder_;
  std::string call_;
};

}  // namespace duomap::apps
