// Tests a block pool with an allocator that counts its calls.
#include "gpu/runtime/block_pool.hpp"

#include "tests/catch.hpp"

#include <cstdlib>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

namespace duomap::test::gpu_runtime_block_pool_test {

namespace {

class counting_allocator final : public gpu::block_pool::allocator {
 public:
  gpu::block_pool::block allocate(std::uint64_t bytes) override {
    if (bytes > std::uint64_t{1} << 20) throw std::runtime_error("too much");
    const std::lock_guard held(mutex_);
    void* const data = std::malloc(bytes);
    live.insert(data);
    ++allocations;
    return {data, bytes, 7};
  }
  void release(const gpu::block_pool::block& one) noexcept override {
    const std::lock_guard held(mutex_);
    kinds_kept = kinds_kept && one.kind == 7;
    live.erase(one.data);
    std::free(one.data);
  }

  std::set<void*> live;
  unsigned allocations = 0;
  bool kinds_kept = true;

 private:
  std::mutex mutex_;
};

}  // namespace

TEST_CASE("a released block is the next of its size", "[gpu][block_pool]") {
  counting_allocator memory;
  {
    gpu::block_pool pool(memory, 1 << 20);
    const auto small = pool.take(1);
    const auto large = pool.take(5000);
    CHECK(small.bytes == 4096);
    CHECK(large.bytes == 8192);
    pool.give(small);
    pool.give(large);
    CHECK(pool.take(8192).data == large.data);
    CHECK(pool.take(4096).data == small.data);
    const auto another = pool.take(4000);
    CHECK(another.data != small.data);
    CHECK(memory.allocations == 3);
    pool.give(small);
    pool.give(large);
    pool.give(another);
    CHECK(memory.live.size() == 3);
  }
  CHECK(memory.live.empty());
  CHECK(memory.kinds_kept);
}

TEST_CASE("a pool keeps no more than it may", "[gpu][block_pool]") {
  counting_allocator memory;
  gpu::block_pool pool(memory, 3 * 4096);
  std::vector<gpu::block_pool::block> blocks;
  for (unsigned i = 0; i < 5; ++i) blocks.push_back(pool.take(4096));
  for (const auto& one : blocks) pool.give(one);
  CHECK(memory.live.size() == 3);
  CHECK_THROWS_AS(pool.take(std::uint64_t{2} << 20), std::runtime_error);
}

TEST_CASE("threads never share a block", "[gpu][block_pool]") {
  counting_allocator memory;
  gpu::block_pool pool(memory, 8 * 4096);
  std::atomic<unsigned> overwritten{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 2000; ++i) {
        const auto mine = pool.take(1 + (i % 3) * 4096);
        auto& word = *static_cast<volatile unsigned*>(mine.data);
        word = t * 10'000 + i;
        std::this_thread::yield();
        if (word != t * 10'000 + i) ++overwritten;
        pool.give(mine);
      }
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(overwritten == 0);
}

}  // namespace duomap::test::gpu_runtime_block_pool_test
