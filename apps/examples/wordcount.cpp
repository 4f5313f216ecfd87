// Counts the words of files on the whole machine and prints the ten most frequent.
#include "duomap.hpp"

#include <cstdio>

struct wordcount {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

int main(int argc, char** argv) {
  try {
    const auto counts = duomap::run(wordcount{}, duomap::open_input({argv + 1, argv + argc}));
    for (const auto& [word, count] : counts.top(10, duomap::by_value)) {
      std::printf("%.*s\t%llu\n", static_cast<int>(word.size), word.data,
                  static_cast<unsigned long long>(count));
    }
  } catch (const duomap::error& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return static_cast<int>(problem.status());
  }
}
