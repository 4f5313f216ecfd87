// first error: the task has a member that is a pointer or a view, and a GPU cannot read
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/device_task.cuh"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  const std::uint64_t* weights;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, weights[word.size]); }
};

template class duomap::gpu::device_task<refused>;
