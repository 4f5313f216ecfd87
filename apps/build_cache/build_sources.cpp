// Records the files that a compiler has read, and checks later whether they are the same.
#include "apps/build_cache/build_sources.hpp"

#include "apps/build_cache/private_folder.hpp"
#include "core/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <set>
#include <string_view>
#include <thread>
#include <tuple>

namespace duomap::apps {

namespace {

// A text of sources has a line for each file, with the kind of check and the path. After `stamp ` a line with
// the stamp follows. After `bytes ` a line with the number of bytes follows, and then the bytes and a
// newline.
constexpr std::string_view by_stamp = "stamp ", by_bytes = "bytes ", absent = "absent ";

std::string described(std::string_view how, const std::string& path) {
  std::string text = std::string(how) + path + "\n";
  if (how == by_stamp) return text + stamp_of(path) + "\n";
  if (how == by_bytes) {
    struct stat found {};
    const bool regular = ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);  // a pipe would block
    const std::optional<std::string> content = regular ? whole_text(open_for_reading(path)) : std::nullopt;
    return text + (content ? std::to_string(content->size()) + "\n" + *content : "none\n") + "\n";
  }
  const bool is_absent = ::access(path.c_str(), F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR);
  return is_absent ? text : text + "is there\n";
}

bool is_before(const timespec& a, const timespec& b) {
  return std::tie(a.tv_sec, a.tv_nsec) < std::tie(b.tv_sec, b.tv_nsec);
}

// Uses the time of status change, because programs can set a file's time of modification back.
bool is_older(const std::string& path, const timespec& start) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && is_before(found.st_mtim, start) &&
         is_before(found.st_ctim, start);
}

bool is_below(std::string_view path, std::string_view folder) {
  return !folder.empty() && path.starts_with(folder) &&
         (folder.ends_with('/') || path.substr(folder.size()).starts_with('/'));
}

std::string folder_of(const std::string& path) { return path.substr(0, path.find_last_of('/')); }

// Names by which an #include may read the file: its path from each folder that is searched. A compiler does
// not say in which system folder it found a header, so a system file is looked for by the last one to three
// parts of its path.
std::vector<std::string> names_of(const std::string& path, const std::set<std::string>& folders,
                                  bool of_system) {
  constexpr int most_parts = 3;
  std::vector<std::string> names;
  if (of_system) {
    std::size_t slash = path.size();
    for (int part = 0; part < most_parts && slash != std::string::npos && slash > 0; ++part) {
      slash = path.find_last_of('/', slash - 1);
      if (slash != std::string::npos) names.push_back(path.substr(slash + 1));
    }
    return names;
  }
  for (const std::string& folder : folders) {
    if (is_below(path, folder)) names.push_back(path.substr(folder.size() + (folder.ends_with('/') ? 0 : 1)));
  }
  return names;
}

}  // namespace

timespec file_clock() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now;
}

timespec next_file_clock() {
  // Since Linux 6.13 the fine clock can date a file. It was up to 5 ms ahead of the coarse clock.
  timespec called{};
  ::clock_gettime(CLOCK_REALTIME, &called);
  timespec now = file_clock();
  while (!is_before(called, now)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    now = file_clock();
  }
  return now;
}

std::vector<std::string> parse_dependencies(const std::string& text) {
  std::vector<std::string> names;
  std::string name;
  const auto end_name = [&] {
    if (!name.empty()) names.push_back(name);
    name.clear();
  };
  for (std::size_t i = text.find(": ") + 1; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && next == '\n') {
      end_name();
      ++i;
    } else if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
      name += next;
      ++i;
    } else if (c == ' ' || c == '\n') {
      end_name();
    } else {
      name += c;
    }
  }
  end_name();
  return names;
}

std::string stamp_of(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return "none";
  const auto time = [](const timespec& one) {
    return std::to_string(one.tv_sec) + "." + std::to_string(one.tv_nsec);
  };
  return std::to_string(file.st_ino) + " " + std::to_string(file.st_size) + " " + time(file.st_mtim) + " " +
         time(file.st_ctim);
}

std::optional<std::string> text_of_sources(const read_files& read) {
  std::string text;
  std::set<std::string> files, of_system, searched(read.folders.begin(), read.folders.end()), places;
  for (const std::string& file : read.files) {
    const bool packaged = is_below(file, "/usr") || is_below(file, read.duomap_headers);
    if (!is_older(file, read.start)) return std::nullopt;
    if (!files.insert(file).second) continue;
    text += described(packaged ? by_stamp : by_bytes, file);
    if (is_below(file, "/usr")) of_system.insert(file);
    if (!packaged) places.insert(folder_of(file));  // where #include "..." looks first
  }
  for (const std::string& tool : read.tools) text += described(by_stamp, tool);

  places.insert(searched.begin(), searched.end());
  std::set<std::string> known = places, looked_for;
  known.insert(read.duomap_headers);
  for (const std::string& file : files) {
    const bool system = of_system.contains(file);
    for (const std::string& name : names_of(file, known, system)) {
      for (const std::string& place : system ? searched : places) {
        const std::string earlier = place + "/" + name;
        if (earlier == file || !looked_for.insert(earlier).second) continue;
        const std::string told = described(absent, earlier);
        const bool is_there = told.ends_with("is there\n");
        if (is_there && !is_older(earlier, read.start)) return std::nullopt;
        if (!is_there) text += told;
      }
    }
  }
  return text;
}

bool are_unchanged(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const std::size_t blank = rest.find(' '), line = rest.find('\n');
    if (blank == rest.npos || line == rest.npos || blank > line) return false;
    const std::string now =
        described(rest.substr(0, blank + 1), std::string(rest.substr(blank + 1, line - blank - 1)));
    if (!rest.starts_with(now)) return false;
    at += now.size();
  }
  return true;
}

}  // namespace duomap::apps
