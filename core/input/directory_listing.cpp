// Walks a directory and its subdirectories.
#include "core/input/directory_listing.hpp"

#include "core/path_problem.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace duomap {

namespace {

namespace fs = std::filesystem;

class lister {
 public:
  explicit lister(const std::string& directory) { directories_.push_back(directory); }

  std::vector<listed_path> list() && {
    while (!directories_.empty()) {
      const std::string directory = std::move(directories_.back());
      directories_.pop_back();
      list_one(directory);
    }
    std::sort(found_.begin(), found_.end(),
              [](const listed_path& a, const listed_path& b) { return a.path < b.path; });
    return std::move(found_);
  }

 private:
  void list_one(const std::string& directory) {
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->path().filename().native().front() != '.') {
        add(*entry);
      }
    }
    if (error) {
      found_.push_back({directory, path_problem(directory, error.value())});
    }
  }

  void add(const fs::directory_entry& entry) {
    std::error_code error;
    fs::file_type type = entry.symlink_status(error).type();
    if (type == fs::file_type::directory) {
      directories_.push_back(entry.path().native());
      return;
    }
    if (!error && type == fs::file_type::symlink) {
      type = entry.status(error).type();
    }
    if (error) {
      found_.push_back({entry.path().native(), path_problem(entry.path().native(), error.value())});
    } else if (type == fs::file_type::regular) {
      found_.push_back({entry.path().native(), {}});
    }
  }

  std::vector<std::string> directories_;  // still to be listed
  std::vector<listed_path> found_;
};

}  // namespace

std::vector<listed_path> list_files_below(const std::string& directory) { return lister(directory).list(); }

}  // namespace duomap
