// A temporary folder for the files that a benchmark writes.
// host only
#pragma once

#include "bench/harness/write_file.hpp"
#include "core/error.hpp"

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace duomap::apps {

/// A folder that is removed with its owner.
class temporary_folder {
 public:
  temporary_folder() : path_((std::filesystem::temp_directory_path() / "duomap-bench-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw output_error("cannot make the folder " + path_ + "; set TMPDIR to one that can be written");
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Writes a file with this name and returns its path.
  [[nodiscard]] std::string write(const std::string& name, std::string_view text) const {
    write_file(path_ + "/" + name, text);
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

}  // namespace duomap::apps
