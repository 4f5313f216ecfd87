// Tries formats on the lines of a sample, and finds conflicts between formats.
#include "apps/tasks/weblog/log_recognition.hpp"

#include "apps/tasks/weblog/normal_form.hpp"
#include "core/text/find_byte.hpp"

#include <algorithm>
#include <array>

namespace duomap::apps {
namespace {

/// The lines that should be entries.
std::vector<byte_view> lines_of(byte_view text, bool has_directives) {
  std::vector<byte_view> lines;
  for (std::uint64_t at = 0; at < text.size;) {
    const std::uint64_t end = find_byte(text, '\n', at);
    byte_view line = text.sub(at, end - at);
    if (!line.empty() && line[line.size - 1] == '\r') --line.size;
    if (!line.empty() && !(has_directives && line[0] == '#')) lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

/// Up to four lists of prefixes to try: first no prefix, then the most frequent prefixes of the lines.
std::vector<log_prefixes> prefixes_in(const std::vector<byte_view>& lines) {
  constexpr std::size_t most = 4;
  std::vector<std::pair<log_prefixes, std::uint64_t>> found;
  for (const byte_view line : lines) {
    const log_prefixes one = prefixes_of(line);
    if (!one.any()) continue;
    const auto same = std::ranges::find(found, one, &std::pair<log_prefixes, std::uint64_t>::first);
    if (same == found.end()) {
      found.emplace_back(one, 1);
    } else {
      ++same->second;
    }
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<log_prefixes> prefixes{log_prefixes{}};
  for (const auto& [one, count] : found) {
    if (prefixes.size() < most) prefixes.push_back(one);
  }
  return prefixes;
}

/// Whether a line that fits the format is a reason to choose it. A line with an address in the place of
/// lighttpd's host is no reason to choose lighttpd, because the address may be the client.
bool is_evidence(byte_view line, const log_format& format) {
  if (format.kind != log_format::form::lighttpd) return true;
  std::string memory;
  if (!take_prefixes(format.prefixes, line, memory)) return true;
  const std::uint64_t host = std::min(detail::end_of_client(line) + 1, line.size);
  return !is_address(client_in(line.sub(host, find_byte(line, ' ', host) - host)));
}

/// A line as the format reads it: client, page and status; nothing if the line does not fit.
std::optional<std::string> reading_of(byte_view line, const log_format& format) {
  log_entry entry;
  if (format(line, entry) != log_line_kind::entry || !is_evidence(line, format)) return std::nullopt;
  std::string text(3 * line.size + 64, '\0');
  key_writer to(text.data(), text.size());
  if (format.has_client()) write_client(entry.client, to);
  to.put('\n');
  write_page(entry.url, entry.escaped, to);
  text.resize(to.size());
  return text + '\n' + std::to_string(entry.status);
}

/// A format, and all lines as it reads them.
struct candidate {
  log_format format;
  std::vector<std::optional<std::string>> readings = {};
  std::uint64_t fit = 0;
  std::uint64_t pages = 0;  ///< lines that fit and hold a request
};

std::string client_in_reading(const std::string& reading) { return reading.substr(0, reading.find('\n')); }

/// The reason why `best` cannot be chosen, because `other` fits, too; empty if there is no conflict.
std::string conflict_between(const candidate& best, const candidate& other) {
  // It is a conflict if at least one line fits only `other` for every 20 lines that fit `best`.
  constexpr std::uint64_t most_others = 20;
  std::uint64_t different = 0;
  std::uint64_t only_other = 0;
  std::size_t line_of_difference = 0;
  std::size_t line_of_other = 0;
  for (std::size_t i = 0; i < best.readings.size(); ++i) {
    if (!other.readings[i]) continue;
    if (!best.readings[i]) {
      if (only_other++ == 0) line_of_other = i;
    } else if (*best.readings[i] != *other.readings[i]) {
      if (different++ == 0) line_of_difference = i;
    }
  }
  const std::string names = text_of(best.format) + " and " + text_of(other.format);
  const std::string counts = std::to_string(best.fit) + " and " + std::to_string(other.fit) + " of " +
                             std::to_string(best.readings.size()) + " lines";
  if (different > 0 && other.fit * 10 >= best.fit * 9) {
    return "fits two log formats that read it differently, " + names + " (" + counts + "): entry " +
           std::to_string(line_of_difference + 1) + " has the client '" +
           client_in_reading(*best.readings[line_of_difference]) + "' or '" +
           client_in_reading(*other.readings[line_of_difference]) + "'";
  }
  if (only_other * most_others >= best.fit && only_other > 0) {
    return "has lines in two log formats, " + names + " (" + counts + "): entry " +
           std::to_string(line_of_other + 1) + " fits the second only";
  }
  return {};
}

std::vector<log_format> formats_for(byte_view sample, const std::optional<log_format>& wanted) {
  if (wanted) return {*wanted};
  if (const std::optional<log_format> declared = declared_format(sample)) return {*declared};
  std::vector<log_format> formats;
  for (const char* const name : {"combined", "vhost_combined", "lighttpd", "alb", "json"})
    formats.push_back(*log_format_called(name));
  return formats;
}

}  // namespace

log_recognition recognise_log(byte_view sample, const std::optional<log_format>& wanted,
                              client_choice choice) {
  const std::vector<log_format> formats = formats_for(sample, wanted);
  const std::vector<byte_view> lines = lines_of(sample, formats.front().pattern.has_directives);
  std::vector<candidate> candidates;
  for (const log_prefixes& prefixes : prefixes_in(lines)) {
    for (log_format one : formats) {
      if (one.is_own && prefixes.any()) continue;
      one.prefixes = prefixes;
      one.choice = choice;
      candidate& added = candidates.emplace_back(candidate{one});
      for (const byte_view line : lines) {
        added.readings.push_back(reading_of(line, one));
        if (!added.readings.back()) continue;
        ++added.fit;
        added.pages += added.readings.back()->find("\n\n") == std::string::npos ? 1u : 0u;
      }
    }
  }
  log_recognition found;
  found.lines = lines.size();
  // Among equal candidates the first one wins.
  const auto best = std::ranges::max_element(
      candidates, {}, [](const candidate& one) { return std::pair(one.fit, one.pages); });
  if (best->fit == 0 && !wanted && !best->format.is_own) return found;
  found.format = best->format;
  found.fits.push_back({text_of(best->format), best->fit});
  for (const candidate& other : candidates) {
    if (&other == &*best || other.fit == 0) continue;
    found.fits.push_back({text_of(other.format), other.fit});
    if (found.conflict.empty() && !wanted) found.conflict = conflict_between(*best, other);
  }
  return found;
}

}  // namespace duomap::apps
