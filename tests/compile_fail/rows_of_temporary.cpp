// first error: the keys of these rows are views into the result, which ends with this statement
#include "duomap.hpp"

struct rows_of_temporary {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

void print() {
  for (const auto& row : duomap::run(rows_of_temporary{}, duomap::text_input("a b")).top(1, duomap::by_value))
    static_cast<void>(row);
}
