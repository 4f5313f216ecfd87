// first error: emit is a macro here, as in Qt, and would remove each emit
// options: -Demit=
#include "duomap.hpp"

struct words_of_a_text {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

int main() { static_cast<void>(duomap::run(words_of_a_text{}, duomap::open_input({"text"}))); }
