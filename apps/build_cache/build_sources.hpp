// Records the files that a compiler has read, and tells whether they have changed since.
// host only
#pragma once

#include <time.h>

#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// The time now, by the coarse clock that dates files: files that are written after this call are not older.
[[nodiscard]] timespec file_clock();

/// The time after the next tick of the coarse clock, some 10 ms later at most. All files that were written
/// before this call are older.
[[nodiscard]] timespec next_file_clock();

/// The files in a compiler's list (-MD), which is a rule of make: all names behind the target.
[[nodiscard]] std::vector<std::string> parse_dependencies(const std::string& text);

/// Identifies the state of a file: the stamp changes when the file's bytes change, and when another file
/// takes its path.
[[nodiscard]] std::string stamp_of(const std::string& path);

/// The files, tools and folders that decide the product of a compilation.
struct read_files {
  std::vector<std::string> files;    ///< absolute paths of the files that the compiler has read
  std::vector<std::string> tools;    ///< paths of the programs that it has started
  std::vector<std::string> folders;  ///< folders where it looks for headers before the system's
  std::string duomap_headers;        ///< the folder of duomap's headers, which packages replace as a whole
  timespec start;                    ///< next_file_clock() before the compiler read its first file
};

/// Writes `read` as a text. Files of packages (below /usr, and duomap's headers) are recorded by their
/// stamps, other files by their bytes. The text also records that no header of the same name exists in a
/// folder that is searched earlier. Returns nothing when a file has changed since the start, because nobody
/// knows which version the compiler read.
[[nodiscard]] std::optional<std::string> text_of_sources(const read_files& read);

/// Whether all files in the text are unchanged.
[[nodiscard]] bool are_unchanged(const std::string& text_of_sources);

}  // namespace duomap::apps
