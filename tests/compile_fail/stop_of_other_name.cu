// first error: the task has a member duomap::early_stop of another name
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/device_task.cuh"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  duomap::early_stop halt;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

template class duomap::gpu::device_task<refused>;
