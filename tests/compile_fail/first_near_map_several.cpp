// first error: map_several, mapChunk or mapBatch, which is not read: expected
#include "core/record/rows.hpp"
#include "core/task_check.hpp"

#include <cstddef>
#include <cstdint>

struct refused {
  using format = duomap::rows<float>;
  using key = duomap::no_key;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::row<float>, auto& emit) const { emit(1); }
  template <std::size_t Several>
  void map_several(const duomap::row<float> (&)[Several], auto& emit) const {
    emit(Several);
  }
};

static_assert(duomap::require_task<refused>());
