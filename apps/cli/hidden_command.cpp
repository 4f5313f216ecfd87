// Answers the commands of scripts.
#include "apps/cli/hidden_command.hpp"

#include "apps/cli/complete.hpp"
#include "apps/cli/manual.hpp"
#include "apps/cli/reference_page.hpp"

#include <string_view>
#include <vector>

namespace duomap::apps {

std::optional<std::string> hidden_command(const CLI::App& root, applications known, int argc,
                                          const char* const* argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "__complete") return completions(root, known, {argv + 2, argv + argc});
  if (name == "__manual" && argc == 3) {
    write_manual(root, known, argv[2]);
    return "";
  }
  if (name == "__reference") return reference_page(root, known);
  return std::nullopt;
}

}  // namespace duomap::apps
