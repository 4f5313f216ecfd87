// first error: the task does not read these entries: expected 'using format = duomap::entries_for<TASK>'
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"

#include <cstdint>

struct counts_of_words {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

void run_it(const duomap::keyed_result<counts_of_words>& counts, duomap::worker_pool& pool) {
  const auto chained = duomap::run(counts_of_words{}, duomap::entries_of(counts), pool);
}
