// What stored files were parsed to, for later runs of the same process.
#pragma once

#include "scheduler/profile/stored_text.hpp"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace duomap::scheduler {

/// Reading and parsing a profile takes 50 to 100 microseconds, as long as a small run; finding that its file
/// is still the same takes one. Any thread may call it.
template <class Parsed>
class stored_cache {
 public:
  /// What `parse(text)` makes of the file: an optional, empty when the text is none of ours. Nothing when
  /// there is no such file.
  template <class Parse>
  [[nodiscard]] std::optional<Parsed> read(const std::filesystem::path& path, const Parse& parse) {
    const auto now = stamp_of(path);
    const std::lock_guard held(mutex_);
    const auto known = files_.find(path.native());
    if (!now) {
      if (known != files_.end()) files_.erase(known);
      return std::nullopt;
    }
    if (known != files_.end() && known->second.stamp == *now) return known->second.content;
    // A file that is replaced meanwhile has another stamp, and is read again the next time.
    const auto text = read_stored(path);
    entry fresh{*now, text ? parse(*text) : std::nullopt};
    return files_.insert_or_assign(path.native(), std::move(fresh)).first->second.content;
  }

 private:
  struct entry {
    file_stamp stamp;
    std::optional<Parsed> content;
  };

  std::mutex mutex_;
  std::map<std::string, entry> files_;  // guarded by mutex_
};

}  // namespace duomap::scheduler
