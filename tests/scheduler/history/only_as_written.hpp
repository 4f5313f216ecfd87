// Checks that a parser accepts a stored text only exactly as it was written.
#pragma once

#include "tests/catch.hpp"

#include <cstddef>
#include <random>
#include <string>

namespace duomap::test {

/// `parse` must accept `text`, but no changed text, and no noise with or without the first line of `text`.
template <class Parse>
void check_only_as_written(const std::string& text, const Parse& parse) {
  REQUIRE(parse(text));
  for (std::size_t i = 0; i < text.size(); ++i) {
    CAPTURE(i);
    CHECK_FALSE(parse(text.substr(0, i)));
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK_FALSE(parse(changed));
    changed = text;
    changed.insert(i, 1, ' ');
    CHECK_FALSE(parse(changed));
  }
  CHECK_FALSE(parse(text + "\n"));
  CHECK_FALSE(parse(text + text));
  std::string newer = text;
  newer.replace(newer.find(" 1\n"), 3, " 2\n");
  CHECK_FALSE(parse(newer));

  const std::string first_line = text.substr(0, text.find('\n') + 1);
  std::mt19937 random(seed());
  for (int round = 0; round < 2000; ++round) {
    std::string noise(random() % 200, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    CHECK_FALSE(parse(noise));
    CHECK_FALSE(parse(first_line + noise));
  }
}

}  // namespace duomap::test
