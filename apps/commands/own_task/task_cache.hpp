// The folder of compiled tasks: `duomap run HEADER` puts programs there, `duomap cache` shows and clears it.
// host only
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace duomap::apps {

/// One compiled task: a folder with the program and what it was made of.
struct cached_task {
  std::filesystem::path folder;
  std::string header;  ///< path of its header; empty when it cannot be read
  std::uint64_t bytes = 0;
  std::filesystem::file_time_type used;
};

/// A folder that nobody but its user can look into or write to: what is in it is run. Several processes may
/// use it at once: a program appears complete, by a rename.
class task_cache {
 public:
  /// Programs take that much together at most; the latest one stays whatever it takes. A program for the CPU
  /// takes 1.5 MB.
  static constexpr std::uint64_t most_bytes = 256'000'000;

  /// A folder that is there, or that make_folder() makes.
  /// @throws usage_error when it belongs to someone else, or others may use it, with what to do
  explicit task_cache(std::filesystem::path folder);

  [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

  /// The program that was made of just these sources; empty when there is none. It counts as used now.
  /// @param name a short name for what the sources are; different sources may have the same
  [[nodiscard]] std::string find(const std::string& name, const std::string& identity) const;

  /// A new folder to compile in.
  /// @throws output_error when it cannot be made; what the constructor throws
  [[nodiscard]] std::filesystem::path make_folder() const;

  /// Makes the `made` folder, with the files `program`, `identity` and `sources`, the entry of that name, and
  /// removes entries that were not used for longest until the others fit. Returns the path of the program.
  [[nodiscard]] std::string keep(const std::filesystem::path& made, const std::string& name) const;

  /// All of them, the latest use first.
  [[nodiscard]] std::vector<cached_task> entries() const;

 private:
  void require_own_folder() const;

  std::filesystem::path folder_;
};

/// The user's folder.
/// @throws usage_error when the environment names none
[[nodiscard]] std::filesystem::path usual_task_folder();

/// A list of files as they are now, for `sources`: each with its path and its bytes. A file that is gone has
/// no bytes.
[[nodiscard]] std::string text_of_sources(const std::vector<std::string>& paths);

}  // namespace duomap::apps
