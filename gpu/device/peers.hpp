// Describes the ways in which the GPUs of one machine reach each other's memory.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace duomap::gpu {

enum class peer_link {
  none,         ///< through the host's memory
  direct,       ///< reads and writes, as over PCIe
  with_atomics  ///< reads, writes and atomic operations, as over NVLink
};

/// One sentence for each kind of link between the GPUs: "0 and 1, 2: directly, ...". Empty for one GPU.
/// `link(a, b)` is the way in which a reaches b; the worse of both directions counts.
[[nodiscard]] std::vector<std::string> peer_sentences(std::span<const int> gpus,
                                                      const std::function<peer_link(int, int)>& link);

}  // namespace duomap::gpu
