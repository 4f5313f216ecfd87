// A synthetic text in a mapped file, and the answer of the first program.
// host only
#pragma once

#include "bench/harness/bench_text.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace duomap::apps {

/// The file is opened once and stays in the page cache, and answers may point into its text. The text must be
/// large enough to be mapped (map_threshold).
template <class Answer>
struct text_problem {
  bench_text file;
  input text;
  std::optional<Answer> expected = {};

  template <class... What>
  explicit text_problem(const What&... what) : file(what...), text(open_input({file.path()})) {
    expects(!bytes().empty(), "the text of an experiment has at least map_threshold bytes");
  }

  [[nodiscard]] std::string_view bytes() const { return text[0].bytes().text(); }
};

/// Whether a result and an std::unordered_map of views have the same count for every key.
template <class Task>
[[nodiscard]] bool same_counts(const keyed_result<Task>& counts,
                               const std::unordered_map<std::string_view, std::uint64_t>& expected) {
  bool same = counts.size() == expected.size();
  counts.for_each([&](byte_view key, std::uint64_t count) {
    const auto known = expected.find(key.text());
    same = same && known != expected.end() && known->second == count;
  });
  return same;
}

}  // namespace duomap::apps
