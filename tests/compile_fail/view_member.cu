// first error: the task has a member that is a pointer or a view, and a GPU cannot read
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/device_task.cuh"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  std::uint64_t length;
  duomap::byte_view prefix;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, prefix.size); }
};

template class duomap::gpu::device_task<refused>;
