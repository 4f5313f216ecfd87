// first error: the task has no map: expected 'DUOMAP_HD void map
#include "duomap.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
};

void run_it(const duomap::input& texts) { const auto counts = duomap::run(refused{}, texts); }
