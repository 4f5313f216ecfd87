// A made-up text in a mapped file, and the answer of the program that goes first.
// host only
#pragma once

#include "apps/bench/harness/bench_text.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"

#include <optional>
#include <string_view>

namespace duomap::apps {

/// The file is opened once and in the page cache; answers may point into it. It must be large enough to be
/// mapped (map_threshold).
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

}  // namespace duomap::apps
