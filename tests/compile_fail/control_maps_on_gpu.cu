// compiles
#include "core/record/words.hpp"
#include "core/task.hpp"
#include "gpu/device_task.cuh"

#include <cstdint>
#include <memory>
#include <vector>

/// What maps may do on a GPU, beside functions of the host that allocate.
struct allowed {
  using format = duomap::words;
  using key = duomap::dense;
  using reduce = duomap::sum<std::uint64_t>;
  float levels[4];
  duomap::broadcast<std::uint64_t> weights;
  duomap::early_stop stop;
  std::uint64_t keys = 9;
  [[nodiscard]] std::uint64_t key_count() const { return keys; }
  void visit_broadcast(auto&& visit) { visit(weights); }
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const {
    const std::uint64_t counts[2] = {word.size, weights[0]};
    duomap::emit_block(emit, 0, counts, 2);
    if (word.empty()) stop(0, 0, word);
  }
};

inline std::vector<std::uint64_t> host_weights() { return {1, 2, *std::make_unique<std::uint64_t>(3)}; }
inline std::uint64_t* host_array() { return new std::uint64_t[3]; }

template class duomap::gpu::device_task<allowed>;

__global__ void map_one(allowed task, duomap::byte_view word) {
  duomap::archetype_emitter<allowed> emit;
  task.map(word, emit);
}
