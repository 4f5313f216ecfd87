// first error: the task does not say how many numbers a row has: expected 'duomap::rows<T> records
#include "core/default_made_task.hpp"

#include <cstdint>

struct refused {
  using format = duomap::rows<float>;
  using key = duomap::no_key;
  using reduce = duomap::sum<float>;
  DUOMAP_HD void map(const duomap::row<float>& row, auto& emit) const { emit(row[1]); }
};

void make() { duomap::require_settings<refused>(); }
