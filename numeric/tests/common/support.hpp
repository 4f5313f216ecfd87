// Helps the tests of files of numbers.
#pragma once

#include "core/error.hpp"
#include "numeric/common/read_table.hpp"
#include "tests/core/output/support.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace duomap::test {

/// The exit status and the message of the error that `action` throws; empty if it throws none.
template <class Action>
[[nodiscard]] std::string problem_of(Action&& action) {
  try {
    static_cast<void>(action());
  } catch (const error& problem) {
    return std::to_string(static_cast<int>(problem.status())) + ": " + problem.what();
  }
  return {};
}

/// Reads a table from a file of this name and content.
template <class T = float>
[[nodiscard]] labelled_table<T> table_of(const std::string& content, const table_options& options = {},
                                         const std::string& name = "table.txt") {
  const temporary_folder folder;
  return read_table<T>(folder.write(name, content), options);
}

/// The error from reading a file of this name and content; empty if there is none.
[[nodiscard]] inline std::string problem_with(const std::string& content, const table_options& options = {},
                                              const std::string& name = "table.txt") {
  return problem_of([&] { return table_of(content, options, name); });
}

template <class T>
[[nodiscard]] std::vector<T> numbers_of(const labelled_table<T>& table) {
  const auto values = table.values.view().values();
  return {values.begin(), values.end()};
}

[[nodiscard]] inline std::vector<std::string> labels_of(const table_metadata& table) {
  std::vector<std::string> labels;
  for (const std::uint32_t label : table.label_of_row) labels.push_back(table.classes.at(label));
  return labels;
}

/// The path of a file in $DUOMAP_DATA; empty when it is not there.
[[nodiscard]] inline std::string real_data(const std::string& name) {
  const char* const folder = std::getenv("DUOMAP_DATA");
  const std::string path = std::string(folder == nullptr ? "" : folder) + "/" + name;
  return folder != nullptr && std::filesystem::exists(path) ? path : std::string();
}

}  // namespace duomap::test
