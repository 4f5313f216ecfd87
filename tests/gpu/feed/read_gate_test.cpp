// Tests the read gate, which stops a GPU's threads from reading input that may be freed.
#include "gpu/feed/read_gate.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <atomic>
#include <thread>
#include <vector>

namespace duomap::test::gpu_feed_read_gate_test {

TEST_CASE("a gate lets readers pass until it is closed", "[gpu][staging]") {
  gpu::read_gate gate;
  int reads = 0;
  gate.pass([&] { ++reads; });
  CHECK_THROWS_AS(gate.pass([] { throw input_error("unreadable"); }), input_error);
  gate.pass([&] { ++reads; });
  CHECK(reads == 2);
  gate.close();
  gate.close();
  CHECK_THROWS_AS(gate.pass([&] { ++reads; }), device_lost);
  CHECK(reads == 2);
}

TEST_CASE("when a gate is closed nobody reads", "[gpu][staging]") {
  for (unsigned round = 0; round < 50; ++round) {
    gpu::read_gate gate;
    std::atomic<unsigned> reading{0};
    std::atomic<unsigned> readers{0};
    std::atomic<bool> closed{false};
    std::atomic<bool> read_after_close{false};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        ++readers;
        try {
          while (true) {
            gate.pass([&] {
              ++reading;
              if (closed) read_after_close = true;
              std::this_thread::yield();
              --reading;
            });
          }
        } catch (const device_lost&) {
        }
      });
    }
    while (readers < 4) std::this_thread::yield();
    gate.close();
    CHECK(reading == 0);
    closed = true;
    for (std::thread& one : threads) one.join();
    CHECK_FALSE(read_after_close);
  }
}

}  // namespace duomap::test::gpu_feed_read_gate_test
