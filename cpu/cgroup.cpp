// Finds the directories of this process's groups from /proc, then reads limits up to the mount point.
#include "cpu/cgroup.hpp"

#include "cpu/small_file.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::cpu {
namespace {

namespace fs = std::filesystem;

enum class controller { unified, cpu, memory };

/// A mounted cgroup hierarchy: version 2, or one version 1 controller.
struct hierarchy {
  controller kind;
  std::string group_root;  // the group that is visible at mount_point
  std::string mount_point;
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    const std::size_t to = text.find(separator, from);
    parts.emplace_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

/// mountinfo writes space, tab, newline and backslash as three octal digits.
std::string unescape(std::string_view text) {
  const auto is_octal = [](char c) {
    return c >= '0' && c <= '7';
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string first_line(const std::string& file) {
  const std::string text = read_small_file(file);
  std::string_view rest = text;
  return std::string(take_line(rest));
}

/// Fields of a mountinfo line: id, parent, device, root, mount point, options, optional fields, "-",
/// filesystem type, device name, super options (which name a version 1 hierarchy's controllers).
std::vector<hierarchy> mounted_hierarchies(const std::string& root) {
  std::vector<hierarchy> found;
  const std::string mounts = read_small_file(root + "/proc/self/mountinfo");
  for (std::string_view rest = mounts; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t dash = line.find(" - cgroup");
    if (dash == std::string_view::npos) continue;
    const auto mount = split(line.substr(0, dash), ' ');
    const auto type = split(line.substr(dash + 3), ' ');
    if (mount.size() < 5 || type.size() < 3) continue;
    const auto add = [&](controller kind) {
      found.push_back({kind, unescape(mount[3]), unescape(mount[4])});
    };
    if (type[0] == "cgroup2") add(controller::unified);
    if (type[0] != "cgroup") continue;
    for (const auto& option : split(type[2], ',')) {
      if (option == "cpu") add(controller::cpu);
      if (option == "memory") add(controller::memory);
    }
  }
  return found;
}

/// This process's group in the given hierarchy. `groups` has lines "id:controllers:/path", where version 2
/// has the id 0 and no controllers.
std::optional<std::string> group_of_this_process(std::string_view groups, controller kind) {
  while (!groups.empty()) {
    const std::string_view line = take_line(groups);
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string group(line.substr(second + 1));
    if (kind == controller::unified) {
      if (controllers.empty()) return group;
      continue;
    }
    for (const auto& name : split(controllers, ',')) {
      if (name == (kind == controller::cpu ? "cpu" : "memory")) return group;
    }
  }
  return std::nullopt;
}

/// The directories that have limits: the process's group, and its ancestors up to the mount point. If the
/// mount belongs to another namespace, the group is not below it, and only the mount point counts.
std::vector<std::string> directories(const std::string& root, const hierarchy& mounted, std::string group) {
  const std::string top = root + mounted.mount_point;
  if (mounted.group_root != "/") {
    const bool below = group.starts_with(mounted.group_root + "/");
    group = below ? group.substr(mounted.group_root.size()) : "/";
  }
  if (!group.starts_with('/') || group == "/.." || group.starts_with("/../")) group = "/";

  std::vector<std::string> found;
  for (; group.size() > 1; group.resize(group.rfind('/'))) found.push_back(top + group);
  found.push_back(top);
  return found;
}

template <class Number>
void lower(std::optional<Number>& limit, Number candidate) {
  limit = limit ? std::min(*limit, candidate) : candidate;
}

/// Lowers `limit` to quota / period, both in microseconds. "max" or -1 as the quota means no limit.
void lower_cores(std::optional<double>& limit, std::string_view quota_text, std::string_view period_text) {
  const auto quota = parse<std::int64_t>(quota_text);
  const auto period = parse<std::int64_t>(period_text);
  if (!quota || !period || *quota <= 0 || *period <= 0) return;
  lower(limit, static_cast<double>(*quota) / static_cast<double>(*period));
}

/// The number in the line that begins with `name`; 0 if there is no such line.
std::uint64_t field_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with(name) && line.substr(name.size()).starts_with(' '))
      return parse<std::uint64_t>(line.substr(name.size() + 1)).value_or(0);
  }
  return 0;
}

/// The names of the files with a group's memory limit and its used memory. The last two are names of fields:
/// the sizes of the page cache of a group and of all groups below it.
struct memory_names {
  const char* limit;
  const char* used;
  std::string_view inactive_file;
  std::string_view active_file;
};
constexpr memory_names unified_names{"/memory.max", "/memory.current", "inactive_file", "active_file"};
constexpr memory_names version_1_names{"/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                       "total_inactive_file", "total_active_file"};

void lower_memory(cgroup_limits& limits, const std::string& directory, const memory_names& names) {
  // Version 1 has no word for "no limit". It writes the largest page-aligned 63-bit number.
  constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;
  const auto bytes = parse<std::uint64_t>(first_line(directory + names.limit));
  if (!bytes || *bytes >= no_limit) return;
  lower(limits.memory, *bytes);
  const std::uint64_t used = parse<std::uint64_t>(first_line(directory + names.used)).value_or(0);
  const std::string facts = read_small_file(directory + "/memory.stat");
  const std::uint64_t cached = field_of(facts, names.inactive_file) + field_of(facts, names.active_file);
  const std::uint64_t taken = used - std::min(used, cached);
  // The kernel can also free slabs and swap memory out, but does not tell how much. So even a full group
  // counts as having a sixteenth of its limit left.
  lower(limits.memory_left, std::max(*bytes - std::min(*bytes, taken), *bytes / 16));
}

/// Reads all limits. Without `memory`, it opens no files about memory.
cgroup_limits read_limits(const fs::path& root, bool memory) {
  cgroup_limits limits;
  const std::string at = root == "/" ? "" : root.string();
  const std::string groups = read_small_file(at + "/proc/self/cgroup");
  for (const auto& mounted : mounted_hierarchies(at)) {
    if (mounted.kind == controller::memory && !memory) continue;
    const auto group = group_of_this_process(groups, mounted.kind);
    if (!group) continue;
    for (const auto& directory : directories(at, mounted, *group)) {
      switch (mounted.kind) {
        case controller::unified: {
          const auto quota = split(first_line(directory + "/cpu.max"), ' ');
          if (quota.size() == 2) lower_cores(limits.cores, quota[0], quota[1]);
          if (memory) lower_memory(limits, directory, unified_names);
          break;
        }
        case controller::cpu:
          lower_cores(limits.cores, first_line(directory + "/cpu.cfs_quota_us"),
                      first_line(directory + "/cpu.cfs_period_us"));
          break;
        case controller::memory:
          lower_memory(limits, directory, version_1_names);
          break;
      }
    }
  }
  return limits;
}

}  // namespace

cgroup_limits read_cgroup_limits(const fs::path& root) { return read_limits(root, true); }

std::optional<double> read_cgroup_cores(const fs::path& root) { return read_limits(root, false).cores; }

}  // namespace duomap::cpu
