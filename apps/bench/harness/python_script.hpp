// A Python script that duomap is measured against.
// host only
#pragma once

#include "apps/bench/harness/temporary_folder.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// What a command of the shell prints. @throws error when it cannot be started
[[nodiscard]] std::string output_of(const std::string& command);

/// A script in a folder of its own.
class python_script {
 public:
  /// @param python the program that runs it
  python_script(const std::string& python, std::string_view text);

  /// Where files for the script can be written.
  [[nodiscard]] std::string path_of(const std::string& name) const { return folder_.path() + "/" + name; }

  /// The command that calls it; its errors are thrown away.
  [[nodiscard]] std::string command(const std::vector<std::string>& arguments) const;

  /// What it prints.
  [[nodiscard]] std::string run(const std::vector<std::string>& arguments) const {
    return output_of(command(arguments));
  }

 private:
  temporary_folder folder_;
  std::string call_;
};

}  // namespace duomap::apps
