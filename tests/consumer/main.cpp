// A program outside duomap that links only duomap::duomap and must give the right answer.
#include "wordcount.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

int main() {
  const auto counts = duomap::run(wordcount{}, duomap::text_input("to be or not to be"));
  std::string found;
  for (const auto& [word, count] : counts.top(4, duomap::by_value)) {
    found += std::string(word.text()) + " " + std::to_string(count) + ", ";
  }
  const std::string expected = "be 2, to 2, not 1, or 1, ";
  if (found != expected) {
    std::printf("expected %s\nbut got  %s\n", expected.c_str(), found.c_str());
    return 1;
  }
}
