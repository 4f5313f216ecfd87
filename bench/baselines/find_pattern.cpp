// Finds occurrences with std::string_view::find and counts newlines up to each.
#include "bench/baselines/find_pattern.hpp"

#include "bench/baselines/slices_with_tbb.hpp"

#include <algorithm>

namespace duomap::apps {
namespace {

std::uint64_t newlines_of(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

/// The matches and newlines of one slice of the text.
struct found_in_slice {
  std::size_t begin;
  std::uint64_t newlines;
  std::vector<pattern_place> places;  // lines count from the slice's first line
};

}  // namespace

std::vector<pattern_place> find_pattern_in_one_loop(std::string_view text, std::string_view pattern) {
  std::vector<pattern_place> found;
  std::uint64_t line = 1;
  std::size_t counted = 0;
  for (std::size_t at = text.find(pattern); at != std::string_view::npos; at = text.find(pattern, at + 1)) {
    line += newlines_of(text.substr(counted, at - counted));
    counted = at;
    found.push_back({at, line});
  }
  return found;
}

std::vector<pattern_place> find_pattern_with_tbb(std::string_view text, std::string_view pattern,
                                                 unsigned threads) {
  using slices = std::vector<found_in_slice>;
  slices all;
  for_each_slice_with_tbb<slices>(
      text, threads,
      [&](slices& own, std::size_t begin, std::size_t end) {
        const std::string_view slice = text.substr(begin, end - begin);
        own.push_back({begin, newlines_of(slice), find_pattern_in_one_loop(slice, pattern)});
      },
      [&](slices& own) { std::ranges::move(own, std::back_inserter(all)); });
  std::ranges::sort(all, {}, &found_in_slice::begin);
  std::vector<pattern_place> found;
  std::uint64_t lines = 0;
  for (const found_in_slice& slice : all) {
    for (const pattern_place& one : slice.places)
      found.push_back({slice.begin + one.offset, lines + one.line});
    lines += slice.newlines;
  }
  return found;
}

}  // namespace duomap::apps
