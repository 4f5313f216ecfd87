// Keeps the parsed content of stored files for later runs in the same process.
#pragma once

#include "scheduler/history/stored_text.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace duomap::scheduler {

/// Caches files that are used much more often than they change. Writing a profile takes as long as a small
/// run (decision 4). So a file is read only if it has changed, and this is checked once in 10 ms. A process
/// that learns all the time writes once a second, and may lose the measurements of its last second.
///
/// All times are seconds of one steady clock. Any thread may call it.
template <class Parsed>
class stored_cache {
 public:
  using pointer = std::shared_ptr<const Parsed>;

  /// `parse` returns no value for a text that `to_text` has not made.
  stored_cache(std::optional<Parsed> (*parse)(std::string_view), std::string (*to_text)(const Parsed&))
    : parse_(parse), to_text_(to_text) {}

  /// The clock whose times the other methods take.
  [[nodiscard]] static double clock() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  /// The content of a file. Null: there is no such file, or it cannot be parsed.
  [[nodiscard]] pointer read(const std::string& path, double now) {
    const std::lock_guard held(mutex_);
    entry& known = files_.try_emplace(path).first->second;
    if (now < known.looked_at + look_seconds) return known.content;
    known.looked_at = now;
    const auto stamp = stamp_of(path);
    if (stamp == known.stamp) return known.content;
    known.stamp = stamp;
    known.content = nullptr;
    // If the file is replaced meanwhile, its stamp differs, so it is read again.
    if (const auto text = stamp ? read_stored(path) : std::nullopt) {
      if (auto parsed = parse_(*text)) known.content = std::make_shared<const Parsed>(std::move(*parsed));
    }
    return known.content;
  }

  /// The content that remember() got last for this name, whatever the files contain. Null: it got none.
  [[nodiscard]] pointer recall(const std::string& name) {
    const std::lock_guard held(mutex_);
    const auto known = files_.find(name);
    return known == files_.end() ? nullptr : known->second.content;
  }

  /// Keeps content for recall(), and for read() until the file changes.
  void remember(const std::string& name, Parsed content) {
    auto shared = std::make_shared<const Parsed>(std::move(content));
    const std::lock_guard held(mutex_);
    files_[name].content = std::move(shared);
  }

  /// Writes the file. False: the content was not stored, for any reason. Then only this process knows it.
  bool write(const std::string& path, Parsed content, double now) {
    const auto stamp = write_stored(path, to_text_(content));
    const std::lock_guard held(mutex_);
    entry& known = files_[path];
    known = {stamp ? stamp : stamp_of(path), std::make_shared<const Parsed>(std::move(content)), now,
             stamp ? now : never};
    return stamp.has_value();
  }

  /// Calls write() if its last call is more than a second ago. Otherwise only this process knows the content.
  bool keep(const std::string& path, Parsed content, double now) {
    {
      const std::lock_guard held(mutex_);
      entry& known = files_[path];
      if (known.content && now < known.written_at + write_seconds) {
        known.content = std::make_shared<const Parsed>(std::move(content));
        return true;
      }
    }
    return write(path, std::move(content), now);
  }

 private:
  static constexpr double look_seconds = 10e-3;
  static constexpr double write_seconds = 1;
  static constexpr double never = -1e9;

  struct entry {
    std::optional<file_stamp> stamp;  // at the last read or write
    pointer content;
    double looked_at = never;
    double written_at = never;
  };

  std::optional<Parsed> (*parse_)(std::string_view);
  std::string (*to_text_)(const Parsed&);
  std::mutex mutex_;
  std::map<std::string, entry> files_;  // guarded by mutex_
};

}  // namespace duomap::scheduler
