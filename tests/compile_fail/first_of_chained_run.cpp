// first error: the task has no map: expected 'DUOMAP_HD void map
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"

#include <cstdint>

struct counts_of_words {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

struct refused {
  using format = duomap::entries_for<counts_of_words>;
  using key = std::uint64_t;
  using reduce = duomap::sum<std::uint64_t>;
};

void run_it(const duomap::keyed_result<counts_of_words>& counts, duomap::worker_pool& pool) {
  const auto chained = duomap::run(refused{}, duomap::entries_of(counts), pool);
}
