// Tests the sentences of `duomap doctor` about the links between GPUs.
#include "gpu/device/peers.hpp"

#include "tests/catch.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace duomap::test::gpu_device_peers_test {

using gpu::peer_link;
using gpu::peer_sentences;

TEST_CASE("links between GPUs: a sentence for each kind", "[device]") {
  const auto same = [](peer_link one) {
    return [one](int, int) {
      return one;
    };
  };
  const std::array four{0, 1, 2, 3};
  CHECK(peer_sentences(std::span(four).first(1), same(peer_link::direct)).empty());
  CHECK(peer_sentences({}, same(peer_link::direct)).empty());
  CHECK(peer_sentences(std::span(four).first(2), same(peer_link::with_atomics)) ==
        std::vector<std::string>{"0 and 1: directly, with atomic operations, as over NVLink"});
  CHECK(peer_sentences(four, same(peer_link::none)) ==
        std::vector<std::string>{"0 and 1, 2, 3; 1 and 2, 3; 2 and 3: through the host's memory"});
}

TEST_CASE("links between GPUs: the worse of both ways counts", "[device]") {
  const auto link = [](int from, int to) {
    if (from == 0 && to == 1) return peer_link::with_atomics;
    if (from == 1 && to == 0) return peer_link::with_atomics;
    return from < to ? peer_link::direct : peer_link::none;
  };
  const std::array three{0, 1, 5};
  CHECK(peer_sentences(three, link) ==
        std::vector<std::string>{"0 and 1: directly, with atomic operations, as over NVLink",
                                 "0 and 5; 1 and 5: through the host's memory"});
}

}  // namespace duomap::test::gpu_device_peers_test
