// Writes sentences about the ways in which GPUs reach each other's memory.
#include "gpu/device/peers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace duomap::gpu {

std::vector<std::string> peer_sentences(std::span<const int> gpus,
                                        const std::function<peer_link(int, int)>& link) {
  constexpr std::array kinds = {
      std::pair{peer_link::with_atomics, "directly, with atomic operations, as over NVLink"},
      std::pair{peer_link::direct, "directly, as over PCIe"},
      std::pair{peer_link::none, "through the host's memory"}};
  std::vector<std::string> sentences;
  for (const auto& [kind, text] : kinds) {
    std::string pairs;
    for (std::size_t a = 0; a < gpus.size(); ++a) {
      std::string others;
      for (std::size_t b = a + 1; b < gpus.size(); ++b) {
        if (std::min(link(gpus[a], gpus[b]), link(gpus[b], gpus[a])) != kind) continue;
        others += (others.empty() ? "" : ", ") + std::to_string(gpus[b]);
      }
      if (others.empty()) continue;
      pairs += (pairs.empty() ? "" : "; ") + std::to_string(gpus[a]) + " and " + others;
    }
    if (!pairs.empty()) sentences.push_back(pairs + ": " + text);
  }
  return sentences;
}

}  // namespace duomap::gpu
