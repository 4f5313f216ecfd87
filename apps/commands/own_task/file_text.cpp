// Reads and writes small files as a whole, with errors that name their paths.
#include "apps/commands/own_task/file_text.hpp"

#include "apps/build_cache/private_folder.hpp"
#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/output/result_file.hpp"
#include "core/path_problem.hpp"

#include <cerrno>
#include <optional>

namespace duomap::apps {

std::string file_text(const std::string& path) {
  const file_descriptor file = open_for_reading(path);
  std::optional<std::string> text = file ? whole_text(file) : std::nullopt;
  if (!text) throw input_error(path_problem(path, errno));
  return *std::move(text);
}

void write_file_text(const std::string& path, const std::string& text) {
  result_file file(path);
  file.sink().write(text);
  file.commit();
}

}  // namespace duomap::apps
