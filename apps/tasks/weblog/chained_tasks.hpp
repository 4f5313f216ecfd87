// Declares the tasks that run on the host over the result of the first pass over the logs.
// host only
#pragma once

#include "apps/tasks/weblog/pageviewcount.hpp"
#include "core/byte_view.hpp"
#include "core/record/entries.hpp"
#include "core/task.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"

#include <cstdint>
#include <string>

namespace duomap::apps {

/// Whether a key of the first pass is a whole line. The key is the line if the visit did not fit into a key.
[[nodiscard]] inline bool is_whole_line(byte_view key) { return find_byte(key, '\n') == key.size; }

/// The bytes of a page or a visit. `write` puts them together in the memory of the result.
template <class Write>
[[nodiscard]] std::string written_by(const Write& write, std::uint64_t bytes) {
  std::string text(3 * bytes + 64, '\0');  // each byte may become %HH, and an address may get longer
  key_writer to(text.data(), text.size());
  write(to);
  text.resize(to.size());
  return text;
}

/// Runs between the two passes, for visits that did not fit into a key. Writes each visit in full and adds up
/// equal visits.
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
    const std::uint64_t bytes = one.page.size + one.client.text.size + one.agent.size;
    emit(byte_view(written_by([&](key_writer& to) { one.write(to); }, bytes)), from.value);
  }
};

/// All different visits, of the first pass and of long_visits. Both can have the same visit, because removing
/// dots from a page can make a long visit short.
struct all_visits {
  using format = entries_for<visit_count>;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  void map(const format::record& from, auto& emit) const {
    if (!is_whole_line(from.key)) emit(from.key, from.value);
  }
};

/// The pages of request_count in their normal form.
struct normal_pages {
  using format = entries_for<request_count>;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  bool escaped = false;

  void map(const format::record& from, auto& emit) const {
    if (detail::is_normal_page(from.key)) {
      emit(from.key, from.value);
    } else {
      emit(byte_view(written_by([&](key_writer& to) { write_page(from.key, escaped, to); }, from.key.size)),
           from.value);
    }
  }
};

/// The second pass: page -> 1 for each visit, summed.
struct visits_by_page {
  using format = entries_for<visit_count>;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  void map(const format::record& from, auto& emit) const {
    const std::uint64_t page = find_byte(from.key, '\n');
    // Other keys are whole lines, which long_visits maps.
    if (page < from.key.size) emit(from.key.sub(0, page), 1);
  }
};

/// A page and its views; the page's bytes lie in the result that was ranked.
struct ranked_page {
  const char* page;
  std::uint64_t page_bytes;
  std::uint64_t views;
};

/// The page with more views first; pages with the same number of views by their bytes, ascending.
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
