// Chooses the requests of a log that count as views of a page, and names the page.
#pragma once

#include "apps/tasks/weblog/log_line.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/compare.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap::apps {

/// The user's choice of views. It is trivially copyable, because every device gets a copy.
struct view_choice {
  static constexpr unsigned most_methods = 8;
  static constexpr unsigned method_bytes = 15;

  struct method_name {
    char text[method_bytes] = {};
    std::uint8_t size = 0;
    friend bool operator==(const method_name&, const method_name&) = default;
  };

  std::uint64_t statuses[16] = {};  ///< a bit for each status from 0 to 999 that counts; none set: all count
  bool every_status = true;
  method_name methods[most_methods] = {};  ///< the methods that count, as written; none: all count
  std::uint32_t method_count = 0;
  bool query_belongs = true;  ///< the query behind a question mark is a part of the page

  void add_status(unsigned status) {
    statuses[status / 64] |= std::uint64_t{1} << status % 64;
    every_status = false;
  }

  /// Whether an entry is a view. An entry without a URL is no view. If pages have no queries, an entry whose
  /// URL is only a query is no view either.
  [[nodiscard]] DUOMAP_HD bool counts(const log_entry& entry) const {
    if (entry.url.empty() || (!query_belongs && entry.url[0] == '?')) return false;
    if (!every_status && (statuses[entry.status / 64] >> entry.status % 64 & 1) == 0) return false;
    if (method_count == 0) return true;
    for (std::uint32_t i = 0; i < method_count; ++i) {
      if (equal(entry.method, byte_view{methods[i].text, methods[i].size})) return true;
    }
    return false;
  }

  /// The page of a view: its URL, without the query if pages have no queries. Never empty.
  [[nodiscard]] DUOMAP_HD byte_view page(const log_entry& entry) const {
    if (query_belongs) return entry.url;
    return entry.url.sub(0, find_byte(entry.url, '?'));
  }
};

}  // namespace duomap::apps
