// expect: map_several is called map_batch now
#pragma GCC diagnostic error "-Wdeprecated-declarations"
#include "core/record/rows.hpp"
#include "core/task.hpp"
#include "gpu/engines/dense/row_unit.hpp"

#include <cstdint>

struct old_batch {
  template <std::size_t Several>
  void map_several(const duomap::row<float> (&)[Several], auto& emit) const {
    emit(Several);
  }
};
void batch_by_old_name() {
  const duomap::row<float> rows[4] = {};
  const auto add = [](std::uint64_t) {
  };
  duomap::gpu::map_batch_of(old_batch{}, rows, add);
}
