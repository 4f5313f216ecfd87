// Divides the description of an application from the examples at its end.
#pragma once

#include "apps/cli/app.hpp"

#include <cstddef>
#include <string_view>

namespace duomap::apps {

/// The two parts of a description.
struct divided_description {
  std::string_view text;
  std::string_view examples;  ///< lines that begin with blanks
};

/// Divides a description at its last line "Examples".
[[nodiscard]] inline divided_description divide_description(const app& application) {
  constexpr std::string_view title = "\nExamples\n";
  const std::string_view all = application.description;
  const std::size_t at = all.rfind(title);
  if (at == std::string_view::npos) return {all, {}};
  std::string_view examples = all.substr(at + title.size());
  while (examples.ends_with('\n')) examples.remove_suffix(1);
  return {all.substr(0, at), examples};
}

}  // namespace duomap::apps
