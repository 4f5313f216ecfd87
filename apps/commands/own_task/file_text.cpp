#include "apps/commands/own_task/file_text.hpp"

#include "core/error.hpp"
#include "core/output/result_file.hpp"
#include "core/path_problem.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace duomap::apps {

std::optional<std::string> file_text_if_any(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    errno = EISDIR;
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return std::nullopt;
  return text;
}

std::string file_text(const std::string& path) {
  errno = 0;
  auto text = file_text_if_any(path);
  if (!text) throw input_error(path_problem(path, errno == 0 ? EIO : errno));
  return *std::move(text);
}

void write_file_text(const std::string& path, const std::string& text) {
  result_file file(path);
  file.sink().write(text);
  file.commit();
}

}  // namespace duomap::apps
