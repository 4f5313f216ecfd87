// Compares the files that a command writes with each other and with its inputs.
#include "apps/cli/result_files.hpp"

#include "core/error.hpp"
#include "core/input/standard_input.hpp"
#include "core/path_problem.hpp"

#include <CLI/CLI.hpp>
#include <sys/stat.h>

#include <cerrno>
#include <map>
#include <optional>
#include <string_view>

namespace duomap::apps {
namespace {

/// The value that the user gave for an option; empty if there is none.
std::string value_of(const CLI::App& command, std::string_view name) {
  const CLI::Option* const option = command.get_option_no_throw(std::string(name));
  return option == nullptr || option->empty() ? std::string() : option->results().back();
}

// The status of a file; nothing when there is no such file.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status;
  if (errno != ENOENT) throw input_error(path_problem(path, errno));
  return std::nullopt;
}

bool are_one_file(const std::string& a, const std::string& b) {
  const std::optional<struct stat> one = status_of(a);
  if (!one || !S_ISREG(one->st_mode)) return false;
  const std::optional<struct stat> other = status_of(b);
  return other && one->st_dev == other->st_dev && one->st_ino == other->st_ino;
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
    // The second result would replace the first one in the same file.
    if (const auto [other, is_first] = option_of.emplace(path, name); !is_first) {
      throw usage_error(other->second + " and " + std::string(name) + " are both " +
                        (path == "-" ? "on standard output; give a file to one (-o FILE)"
                                     : quoted(path) + "; give two files"));
    }
    // --output may replace an input file, as the option of `sort` does.
    if (!is_output) require_other_file(std::string(name), path, inputs);
  }
}

}  // namespace duomap::apps
