// Which files a command's results may go to.
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

/// @throws usage_error when the result that `what` names would take the place of a file that is read.
/// `inputs`: paths, of which need none exist
void require_other_file(const std::string& what, const std::string& path,
                        const std::vector<std::string>& inputs);

/// Of all results that the options of a command name, and of the files that it reads: `paths` and those of
/// options. `output`: where --output goes. `own`: the options of its application.
/// @throws usage_error for two results in one file or on standard output, a result in the place of an input,
/// and standard input that is to be read twice
void require_own_files(const CLI::App& command, const std::vector<std::string>& paths,
                       const std::string& output, const file_options& own);

}  // namespace duomap::apps
