// Collects the distinct pairs of page and client, counts them by page, and ranks the pages.
#include "bench/baselines/count_pages.hpp"

#include "bench/baselines/slices_with_tbb.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace duomap::apps {
namespace {

/// A page and the visitor that asked for it.
struct page_visit {
  std::string_view page;
  std::string_view client;
  friend bool operator==(const page_visit&, const page_visit&) = default;
};

struct page_visit_hash {
  std::size_t operator()(const page_visit& one) const {
    const std::hash<std::string_view> hash;
    return hash(one.page) * 31 + hash(one.client);
  }
};

using page_visits = std::unordered_set<page_visit, page_visit_hash>;

void add_visits(std::string_view log, page_visits& seen) {
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = log.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    const std::size_t page = line.find(' ', line.find('"')) + 1;
    seen.insert({line.substr(page, line.find(' ', page) - page), line.substr(0, line.find(' '))});
  }
}

page_counts counts_of(const page_visits& seen) {
  page_counts counts;
  for (const page_visit& one : seen) ++counts[one.page];
  return counts;
}

}  // namespace

page_counts count_clients_in_one_loop(std::string_view log) {
  page_visits seen;
  add_visits(log, seen);
  return counts_of(seen);
}

page_counts count_clients_with_tbb(std::string_view log, unsigned threads) {
  page_visits all;
  for_each_slice_with_tbb<page_visits>(
      log, threads,
      [&](page_visits& own, std::size_t begin, std::size_t end) {
        add_visits(log.substr(begin, end - begin), own);
      },
      [&](page_visits& own) { all.merge(own); });
  return counts_of(all);
}

std::vector<std::pair<std::string_view, std::uint64_t>> rank_pages(const page_counts& counts,
                                                                   std::uint64_t most) {
  std::vector<std::pair<std::string_view, std::uint64_t>> pages(counts.begin(), counts.end());
  const auto kept = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, pages.size()));
  std::ranges::partial_sort(pages, pages.begin() + kept, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  pages.resize(static_cast<std::size_t>(kept));
  return pages;
}

}  // namespace duomap::apps
