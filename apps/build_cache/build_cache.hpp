// Keeps the tasks that duomap has compiled in a folder of the user: programs made from headers, and libraries
// of tasks for Python.
// host only
#pragma once

#include "core/file_descriptor.hpp"
#include "core/run_control.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// One entry: a folder with the product and the texts that say how it was made.
struct cached_build {
  std::string name;   ///< the name of its folder
  std::string title;  ///< the user's name for the build; empty when the entry is unfinished
  std::uint64_t bytes = 0;
  double unused_seconds = 0;  ///< since its last use
};

/// The way to make an entry.
struct build_work {
  std::string title;
  /// Leaves the file `product` in the open folder. Returns the text of the sources (text_of_sources()).
  /// Returns nothing when a source changed meanwhile: the product is then used once and not kept.
  std::function<std::optional<std::string>(int folder)> make;
  /// Called before this process waits for another one that makes the same entry.
  std::function<void()> waiting = [] {
  };
  const run_control* control = nullptr;  ///< a cancelled run stops waiting
};

/// A folder that only its user can read or write, because its programs are run. It is opened once and used by
/// its descriptor. Several processes and threads may use it at once: one of them makes an entry under a lock,
/// and a rename makes the complete entry visible.
class build_cache {
 public:
  static constexpr const char* product = "product";

  /// Bytes that all entries together may take; the latest entry stays even if it alone takes more. A program
  /// for the CPU takes 1.5 MB.
  static constexpr std::uint64_t most_bytes = 256'000'000;

  /// Uses the folder at `path`; find_or_make() makes it when it is missing.
  /// @throws usage_error, which says what to do, when the folder belongs to another user or is open to others
  explicit build_cache(std::string path);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Opens the product of the entry with this identity if its sources have not changed; else returns "none".
  /// Sets the entry's time of use to now.
  [[nodiscard]] file_descriptor find(const std::string& identity) const;

  /// Finds the entry like find(), or makes it. If all entries together become too large, removes those that
  /// were unused for longest.
  /// @throws output_error when the folder cannot be written to; interrupted; errors of the constructor and of
  /// the work
  [[nodiscard]] file_descriptor find_or_make(const std::string& identity, const build_work& work);

  /// All entries, the latest use first.
  [[nodiscard]] std::vector<cached_build> entries() const;

  /// Removes all entries except those that a process is making. Returns the number of removed entries.
  std::size_t clear() const;

 private:
  [[nodiscard]] file_descriptor lock(const std::string& name, bool wait, const build_work& work) const;
  [[nodiscard]] file_descriptor make(const std::string& name, const std::string& identity,
                                     const build_work& work) const;
  [[nodiscard]] bool remove(const std::string& name) const;
  void make_room(const std::string& latest) const;

  std::string path_;
  file_descriptor folder_;  // "none" while there is no folder
};

/// The path of the user's folder of compiled tasks.
/// @throws usage_error when the environment names none
[[nodiscard]] std::string usual_build_folder();

}  // namespace duomap::apps
