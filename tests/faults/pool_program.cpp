// Calls a pool of two workers twice. Exit status: 0 if every body ran once in each call, 1 if not, 4 if
// memory ended.
#include "cpu/tbb_pool.hpp"

#include <array>
#include <atomic>
#include <new>

int main() {
  try {
    duomap::cpu::tbb_pool pool(2);
    for (int call = 0; call < 2; ++call) {
      std::array<std::atomic<unsigned>, 2> ran{};
      pool.run_workers([&](unsigned worker) { ++ran[worker]; });
      if (ran[0] != 1 || ran[1] != 1) return 1;
    }
  } catch (const std::bad_alloc&) {
    return 4;
  }
  return 0;
}
