#include "apps/commands/own_task/task_cache.hpp"

#include "apps/commands/own_task/file_text.hpp"
#include "core/cache_folder.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>
#include <utility>

namespace duomap::apps {

namespace {

constexpr mode_t nobody_else = 0700;

// A file in the list of sources is its path, the number of its bytes, and these, a newline behind each.
std::vector<std::string> paths_in(const std::string& sources) {
  std::vector<std::string> paths;
  std::istringstream text(sources);
  std::string path;
  for (std::streamoff size = 0; std::getline(text, path) && text >> size;) {
    paths.push_back(path);
    text.ignore(size + 2);  // and the newlines around them
  }
  return paths;
}

// What changes no content but is a use.
void touch(const std::filesystem::path& entry) {
  std::error_code unimportant;
  std::filesystem::last_write_time(entry / "sources", std::filesystem::file_time_type::clock::now(),
                                   unimportant);
}

}  // namespace

std::filesystem::path usual_task_folder() {
  const std::string folder = cache_folder([](const char* name) { return std::getenv(name); });
  if (folder.empty())
    throw usage_error(
        "there is no folder for compiled tasks: set HOME or XDG_CACHE_HOME to an absolute path");
  return std::filesystem::path(folder) / "tasks";
}

task_cache::task_cache(std::filesystem::path folder) : folder_(std::move(folder)) { require_own_folder(); }

void task_cache::require_own_folder() const {
  struct stat found {};
  if (::lstat(folder_.c_str(), &found) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return;
    throw output_error(path_problem(folder_.string(), errno));
  }
  const std::string name = "the folder of compiled tasks " + quoted(folder_.string());
  if (!S_ISDIR(found.st_mode)) throw usage_error(name + " is no folder: remove it");
  if (found.st_uid != ::geteuid())
    throw usage_error(name + " belongs to another user, and what is in it would be run: set XDG_CACHE_HOME " +
                      "to a folder of your own");
  if ((found.st_mode & 0077) != 0)
    throw usage_error(name + " is open to other users, and what is in it would be run: if nobody else has " +
                      "written there, type chmod 700 " + folder_.string() + "; else remove it");
}

std::string task_cache::find(const std::string& name, const std::string& identity) const {
  const std::filesystem::path entry = folder_ / name;
  if (file_text_if_any((entry / "identity").string()) != identity) return {};
  const auto sources = file_text_if_any((entry / "sources").string());
  if (!sources || text_of_sources(paths_in(*sources)) != *sources) return {};
  touch(entry);
  return (entry / "program").string();
}

std::filesystem::path task_cache::make_folder() const {
  std::error_code problem;
  std::filesystem::create_directories(folder_.parent_path(), problem);
  const bool made = !problem && (::mkdir(folder_.c_str(), nobody_else) == 0 || errno == EEXIST);
  if (!made)
    throw output_error("cannot make the folder of compiled tasks " + quoted(folder_.string()) + ": " +
                       error_text(problem ? problem.value() : errno) +
                       "; set XDG_CACHE_HOME to a folder that you may write to");
  require_own_folder();
  std::string path = (folder_ / "new-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) throw output_error(path_problem(path, errno));
  return path;
}

std::string task_cache::keep(const std::filesystem::path& made, const std::string& name) const {
  const std::filesystem::path entry = folder_ / name;
  // A folder cannot be renamed to one that has files. A process that runs the old program keeps it.
  std::error_code problem;
  std::filesystem::remove_all(entry, problem);
  std::filesystem::rename(made, entry, problem);
  if (problem && !std::filesystem::exists(entry / "program"))
    throw output_error(path_problem(entry.string(), problem.value()));

  std::uint64_t all = 0;
  for (const cached_task& one : entries()) {
    all += one.bytes;
    if (all > most_bytes && one.folder != entry) std::filesystem::remove_all(one.folder, problem);
  }
  return (entry / "program").string();
}

std::vector<cached_task> task_cache::entries() const {
  std::vector<cached_task> all;
  std::error_code gone;  // another process may remove what is listed here
  for (const auto& folder : std::filesystem::directory_iterator(folder_, gone)) {
    cached_task one{.folder = folder.path(), .header = {}, .bytes = 0, .used = {}};
    for (const auto& file : std::filesystem::directory_iterator(folder.path(), gone)) {
      const std::uintmax_t size = file.file_size(gone);
      if (!gone) one.bytes += size;
    }
    const auto sources = file_text_if_any((folder.path() / "sources").string());
    if (sources) one.header = sources->substr(0, sources->find('\n'));
    one.used = std::filesystem::last_write_time(sources ? folder.path() / "sources" : folder.path(), gone);
    all.push_back(std::move(one));
  }
  std::ranges::sort(all, [](const cached_task& a, const cached_task& b) {
    return std::pair(b.used, a.folder) < std::pair(a.used, b.folder);
  });
  return all;
}

std::string text_of_sources(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    const std::string content = file_text_if_any(path).value_or("");
    text += path + "\n" + std::to_string(content.size()) + "\n" + content + "\n";
  }
  return text;
}

}  // namespace duomap::apps
