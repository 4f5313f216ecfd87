#include "apps/cli/result_files.hpp"

#include "core/error.hpp"
#include "core/input/standard_input.hpp"
#include "core/path_problem.hpp"

#include <CLI/CLI.hpp>
#include <sys/stat.h>

#include <map>
#include <string_view>

namespace duomap::apps {
namespace {

/// What was given for an option; empty when it was not, or the command has none of that name.
std::string value_of(const CLI::App& command, std::string_view name) {
  const CLI::Option* const option = command.get_option_no_throw(std::string(name));
  return option == nullptr || option->empty() ? std::string() : option->results().back();
}

bool are_one_file(const std::string& a, const std::string& b) {
  struct stat one {};
  struct stat other {};
  return ::stat(a.c_str(), &one) == 0 && S_ISREG(one.st_mode) && ::stat(b.c_str(), &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

void require_other_file(const std::string& what, const std::string& path,
                        const std::vector<std::string>& inputs) {
  if (path == "-") return;
  for (const std::string& input : inputs) {
    if (are_one_file(path, input))
      throw usage_error(what + " is " + quoted(path) +
                        ", which is read, and the result would take its place; give another file");
  }
}

void require_own_files(const CLI::App& command, const std::vector<std::string>& paths,
                       const std::string& output, const file_options& own) {
  std::vector<std::string> inputs = paths;
  for (const std::string_view name : own.inputs) inputs.push_back(value_of(command, name));
  require_one_standard_input(inputs);

  std::vector<std::string_view> results{"--output", "--summary", "--trace", "--report"};
  results.insert(results.end(), own.results.begin(), own.results.end());
  std::map<std::string, std::string> option_of;
  if (output == "-") option_of.emplace(output, "the result");
  for (const std::string_view name : results) {
    const bool is_output = name == "--output";
    const std::string path = value_of(command, name);
    if (path.empty() || path.starts_with("/dev/") || (is_output && path == "-")) continue;
    // Of two results in one file the first would be lost.
    if (const auto [other, is_first] = option_of.emplace(path, name); !is_first) {
      throw usage_error(other->second + " and " + std::string(name) + " are both " +
                        (path == "-" ? "on standard output; give a file to one (-o FILE)"
                                     : quoted(path) + "; give two files"));
    }
    // As sort does, --output may replace what was read.
    if (!is_output) require_other_file(std::string(name), path, inputs);
  }
}

}  // namespace duomap::apps
