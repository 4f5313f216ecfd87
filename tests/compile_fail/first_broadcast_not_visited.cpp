// first error: the task has a member duomap::broadcast<T>, and nothing says that it is one
#include "core/default_made_task.hpp"
#include "core/record/words.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  duomap::broadcast<std::uint64_t> weights;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, weights[word.size]); }
};

void make() { duomap::require_settings<refused>(); }
