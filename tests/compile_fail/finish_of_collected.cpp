// first error: the task has finish, which collect and top_k do not apply: make the value in map
#include "duomap.hpp"

struct finish_of_collected {
  using format = duomap::lines;
  using key = duomap::no_key;
  using reduce = duomap::collect<std::uint64_t>;
  DUOMAP_HD void map(const duomap::line& line, auto& emit) const { emit(line.text.size); }
  std::uint64_t finish(std::uint64_t, std::uint64_t size) const { return size + 1; }
};

auto found = duomap::run(finish_of_collected{}, duomap::text_input("a"));
