// How GPUs of one machine reach each other's memory.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace duomap::gpu {

enum class peer_link {
  none,         ///< through the host's memory
  direct,       ///< reads and writes it, as over PCIe
  with_atomics  ///< and changes it by atomic operations, as over NVLink
};

/// A sentence for each kind of link that there is between two of the GPUs: "0 and 1, 2: directly, ...". Empty
/// for one GPU. `link(a, b)` says how a reaches b; the worse of both ways counts.
[[nodiscard]] std::vector<std::string> peer_sentences(std::span<const int> gpus,
                                                      const std::function<peer_link(int, int)>& link);

}  // namespace duomap::gpu
