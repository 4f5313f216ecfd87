// Makes sources of paths, and reports the first path that cannot be read.
#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/input/content_stream.hpp"
#include "core/input/directory_listing.hpp"
#include "core/input/file_source.hpp"
#include "core/input/file_state.hpp"
#include "core/input/input.hpp"
#include "core/input/mapped_file.hpp"
#include "core/input/standard_input.hpp"
#include "core/path_problem.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <utility>

namespace duomap {

namespace {

/// Reads the first bytes of a regular file into `first`. False, with the reason in errno, if that fails.
bool peek(int descriptor, std::string& first) {
  static_assert(file_state::end_bytes >= recognition_bytes);
  std::array<char, file_state::end_bytes> bytes;
  ssize_t count = -1;
  do {
    count = ::pread(descriptor, bytes.data(), bytes.size(), 0);
  } while (count < 0 && errno == EINTR);
  first.assign(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return count >= 0;
}

/// Makes sources of paths. After a problem it goes on, so that finish() can report the number of problems.
class opener {
 public:
  explicit opener(input_content content) : content_(content) {}

  void add(const std::string& path) {
    if (path == "-") {
      add_standard_input();
      return;
    }
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
      problem(path_problem(path, errno));
    } else if (S_ISDIR(status.st_mode)) {
      add_directory(path);
    } else if (S_ISREG(status.st_mode)) {
      add_file(path);
    } else if (S_ISSOCK(status.st_mode)) {
      problem("cannot read " + quoted(path) + ": it is a socket; give a file, a directory or a FIFO");
    } else {
      add_special(path, status);
    }
  }

  /// Returns an input of all sources, or throws the first problem.
  input finish() && {
    if (problems_ > 0) {
      const std::uint64_t more = problems_ - 1;
      throw input_error(first_problem_ + (more == 0 ? std::string()
                                          : more == 1
                                              ? " (1 more path cannot be read)"
                                              : " (" + std::to_string(more) + " more paths cannot be read)"));
    }
    return input(std::move(sources_));
  }

 private:
  void problem(std::string message) {
    if (problems_++ == 0) {
      first_problem_ = std::move(message);
    }
  }

  void add_directory(const std::string& path) {
    const std::vector<listed_path> listed = list_files_below(path);
    if (listed.empty()) {
      problem("cannot read " + quoted(path) +
              ": the directory holds no file (hidden and special ones do not count); give a path with data");
    }
    for (const listed_path& one : listed) {
      if (one.problem.empty()) {
        add_file(one.path);
      } else {
        problem(one.problem);
      }
    }
  }

  /// Adds a regular file. Opens even a file for later, because only opening shows whether it can be read.
  void add_file(const std::string& path) {
    const file_descriptor file = open_for_reading(path);
    if (!file) {
      problem(path_problem(path, errno));
      return;
    }
    // Reads the first bytes before it makes the stamp. In the other order, a rewrite of the file between the
    // two would change neither the time nor the bytes that the stamp has.
    std::string first;
    if (!peek(file.get(), first)) {
      problem(path_problem(path, errno));
      return;
    }
    try {
      file_state stamp(file.get(), path);
      stamp.keep_first(first);
      const recognised_content found = recognise(content_, path, std::string_view(first), quoted(path));
      if (add_mapped(file.get(), stamp, path, found)) return;
      sources_.push_back(std::make_unique<file_source>(path, content_, std::move(stamp)));
    } catch (const input_error& e) {
      problem(e.what());
    }
  }

  /// Adds a FIFO or a device. Does not open it, because the opening of a FIFO waits for its writer.
  void add_special(const std::string& path, const struct stat& status) {
    if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) {
      problem(path_problem(path, errno));
    } else if (read_once(status)) {
      sources_.push_back(std::make_unique<file_source>(path, content_, std::nullopt));
    } else {
      problem("cannot read " + quoted(path) +
              " twice: it is a pipe; give it once, or store its data in a file");
    }
  }

  void add_standard_input() {
    file_descriptor file(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0) {
      problem("cannot read standard input: it is closed; give a path, or redirect a file or pipe to it");
      return;
    }
    if (S_ISDIR(status.st_mode)) {
      problem("cannot read standard input: it is a directory; give the directory as a path");
      return;
    }
    if (!read_once(status)) {
      problem("cannot read standard input: it is a pipe that is given as a path, too; give it once");
      return;
    }
    std::optional<std::uint64_t> left;
    std::optional<file_state> stamp;
    if (S_ISREG(status.st_mode)) {
      const off_t offset = std::max<off_t>(::lseek(file.get(), 0, SEEK_CUR), 0);
      left = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - offset, 0));
      std::string first;
      const bool seen = offset == 0 && peek(file.get(), first);
      try {
        stamp.emplace(file.get(), std::string(), standard_input_name);
        if (seen) stamp->keep_first(first);
        if (seen && add_mapped(file.get(), *stamp, standard_input_name,
                               recognise(content_, {}, std::string_view(first), standard_input_name))) {
          return;
        }
      } catch (const input_error& e) {
        problem(e.what());
        return;
      }
    }
    sources_.push_back(std::make_unique<standard_input>(std::move(file), content_, left, std::move(stamp)));
  }

  /// Maps a regular file if its stored bytes are its content, it is large enough, and the system can map it.
  bool add_mapped(int descriptor, file_state& stamp, const std::string& name,
                  const recognised_content& found) {
    if (stamp.size() < map_threshold || mapped_ == max_mappings || found.kind != compression::none ||
        found.mark.encoding != text_encoding::as_it_is) {
      return false;
    }
    std::unique_ptr<mapped_file> mapped = mapped_file::map(descriptor, name, stamp, found.mark.bytes);
    if (mapped == nullptr) {
      return false;
    }
    ++mapped_;
    sources_.push_back(std::move(mapped));
    return true;
  }

  /// Returns false for a FIFO that was added before. Its bytes can be read only once, and a second opening
  /// would wait for a writer that never comes.
  bool read_once(const struct stat& status) {
    return !S_ISFIFO(status.st_mode) || fifos_.emplace(status.st_dev, status.st_ino).second;
  }

  input_content content_;
  std::vector<std::unique_ptr<source>> sources_;
  std::set<std::pair<dev_t, ino_t>> fifos_;
  std::size_t mapped_ = 0;
  std::string first_problem_;
  std::uint64_t problems_ = 0;
};

}  // namespace

input open_input(const std::vector<std::string>& paths, input_content content) {
  require_one_standard_input(paths);
  opener all(content);
  for (const std::string& path : paths) {
    all.add(path);
  }
  return std::move(all).finish();
}

}  // namespace duomap
