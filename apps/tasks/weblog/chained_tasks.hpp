// The tasks that go on from the page views' first pass; host only, they are run over its result.
// host only
#pragma once

#include "apps/tasks/weblog/page_views.hpp"
#include "core/byte_view.hpp"
#include "core/record/entries.hpp"
#include "core/task.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"

#include <cstdint>
#include <string>

namespace duomap::apps {

/// Whether a key of the first pass is a line: a visit that was too long to be put together there. The line is
/// longer still.
[[nodiscard]] constexpr bool is_whole_line(byte_view key) { return key.size > visit_count::most_bytes; }

/// Between the passes, for those visits only: puts them together, so that each is there once. None of them
/// can be among the others, which are shorter.
template <class Format>
struct long_visits {
  using format = entries_for<visit_count>;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  visit_count_of<Format> first_pass;

  void map(const format::record& from, auto& emit) const {
    log_entry found;
    if (!is_whole_line(from.key) || first_pass.parse(from.key, found) != log_line_kind::entry) return;
    const visit one = first_pass.visit_of(found);
    std::string joined(one.size(), '\0');
    one.write(joined.data());
    emit(byte_view(joined), from.value);
  }
};

/// The second pass: page -> 1 for each visit, summed.
struct visits_by_page {
  using format = entries_for<visit_count>;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  void map(const format::record& from, auto& emit) const {
    const std::uint64_t page = find_byte(from.key, '\n');
    if (page < from.key.size) emit(from.key.sub(0, page), 1);  // else a whole line, which long_visits has
  }
};

/// A page and its views; the page's bytes stand in the result that was ranked.
struct ranked_page {
  const char* page;
  std::uint64_t page_bytes;
  std::uint64_t views;
};

/// More views first; pages of as many by their bytes, ascending.
struct more_views {
  [[nodiscard]] bool operator()(const ranked_page& a, const ranked_page& b) const {
    if (a.views != b.views) return a.views > b.views;
    return compare({a.page, a.page_bytes}, {b.page, b.page_bytes}) < 0;
  }
};

/// Page view rank (Mars, section 4): the pages with the most views.
struct page_rank {
  using format = entries_for<request_count>;
  using key = no_key;
  using reduce = top_k<ranked_page, more_views>;

  std::uint64_t k = 10;

  [[nodiscard]] reduce reduction() const { return {.k = k}; }
  void map(const format::record& from, auto& emit) const {
    emit(ranked_page{from.key.data, from.key.size, from.value});
  }
};

}  // namespace duomap::apps
