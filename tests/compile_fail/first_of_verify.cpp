// first error: the task has no map: expected 'DUOMAP_HD void map
#include "core/record/words.hpp"
#include "core/verify/verify.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
};

auto verify_it(const duomap::input& texts) { return duomap::verify(refused{}, texts); }
