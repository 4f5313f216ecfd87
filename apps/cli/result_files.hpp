// Checks that no result of a command replaces another result or an input.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace duomap::apps {

/// The options of an application that name files.
struct file_options {
  std::span<const std::string_view> inputs = {};
  std::span<const std::string_view> results = {};
};

/// Refuses a result file that is also an input. `what`: the result's name in the message; `inputs`: paths
/// that need not exist.
/// @throws usage_error
void require_other_file(const std::string& what, const std::string& path,
                        const std::vector<std::string>& inputs);

/// Checks that all results of a command are different files, and that none is an input. Inputs are `paths`
/// and the files that options name. `output`: where --output goes. `own`: the options of its application.
/// @throws usage_error for two results in one file or on standard output, a result in the place of an input,
/// and standard input that would be read twice
void require_own_files(const CLI::App& command, const std::vector<std::string>& paths,
                       const std::string& output, const file_options& own);

}  // namespace duomap::apps
