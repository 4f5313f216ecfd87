// Tests what whole runs seldom use of a GPU's executor: taking back a chunk while it is copied, and a
// timeout.
#include "core/error.hpp"
#include "core/partial/merge_keyed.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/support/failure_tasks.hpp"
#include "tests/gpu/support/keyed_tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_gpu_backend_test {
namespace {

using counts = std::map<std::string, std::uint64_t>;

std::unique_ptr<backend<word_counts>> words_on_gpu(const gpu::feed_options& feed) {
  return std::move(
      gpu::make_backends(word_counts{}, {gpu::discover().devices.front().index}, {.feed = feed}).front());
}

/// The counts that a backend hands over; they must equal the emits of the test's chunks.
counts taken_from(backend<word_counts>& on) {
  cpu::tbb_pool pool(2);
  counts all;
  std::vector<partial_for<word_counts>> parts = on.release_partials(pool);
  if (parts.empty()) return all;
  for (const auto& partition : merge_partials(std::move(parts), word_counts{}, pool).partitions) {
    for (const auto& entry : partition) all[std::string(entry.key.bytes().text())] += entry.value;
  }
  return all;
}

/// Makes chunks that repeat one word, a new word for each chunk, with readable bytes behind them.
class chunk_maker {
 public:
  explicit chunk_maker(std::mt19937_64& random) : random_(random) {}

  [[nodiscard]] chunk make(std::uint64_t most_words) {
    const std::string word = "w" + std::to_string(texts_.size()) + " ";
    words_ = 1 + random_() % most_words;
    std::string& text = texts_.emplace_back();
    for (std::uint64_t i = 0; i < words_; ++i) text += word;
    const std::uint64_t size = text.size();
    text.resize(size + read_padding, 'x');
    word_ = word.substr(0, word.size() - 1);
    return {text.data(), size, 0, 0};
  }
  /// The word of the last chunk, and how often the chunk has it.
  [[nodiscard]] std::pair<std::string, std::uint64_t> last() const { return {word_, words_}; }

 private:
  std::mt19937_64& random_;
  std::deque<std::string> texts_;
  std::string word_;
  std::uint64_t words_ = 0;
};

}  // namespace

TEST_CASE("GPU backend: chunks that are taken back are in no result", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  for (unsigned round = 0; round < 8; ++round) {
    const auto on = words_on_gpu(
        {.threads = 1 + static_cast<unsigned>(random() % 5), .piece_bytes = 1 + random() % 500'000});
    chunk_maker chunks(random);
    counts expected;
    unsigned taken_back = 0;
    on->drive([&](unsigned worker) {
      on->prepare(worker);
      CHECK_FALSE(on->take_back(worker));
      std::deque<std::pair<std::string, std::uint64_t>> open;
      for (unsigned step = 0; step < 60; ++step) {
        const auto choice = random() % 3;
        if (choice == 0 && !open.empty()) {
          static_cast<void>(on->finish(worker));
          expected.insert(open.front());
          open.pop_front();
        } else if (choice == 1 && open.size() > 1) {
          if (on->take_back(worker)) {
            ++taken_back;
            open.pop_back();
          }
        } else if (open.size() < on->depth()) {
          on->submit(worker, chunks.make(random() % 2 == 0 ? 100 : 400'000));
          open.push_back(chunks.last());
        }
      }
      for (; !open.empty(); open.pop_front()) {
        static_cast<void>(on->finish(worker));
        expected.insert(open.front());
      }
      on->commit(worker);
    });
    CAPTURE(taken_back);
    CHECK((taken_from(*on) == expected));
    CHECK(taken_back > 0);
  }
}

TEST_CASE("GPU backend: copies and kernels of chunks follow each other", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const auto on = words_on_gpu({});
  chunk_maker chunks(random);
  std::vector<chunk_report> reports;
  on->drive([&](unsigned worker) {
    for (unsigned i = 0; i < 20; ++i) {
      for (unsigned open = 0; open < 3; ++open) on->submit(worker, chunks.make(300'000));
      for (unsigned open = 0; open < 3; ++open) reports.push_back(on->finish(worker));
    }
    on->commit(worker);
  });
  // 1 us for rounding.
  constexpr double slack = 1e-6;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const chunk_report& one = reports[i];
    CHECK(one.copy_seconds > 0);
    CHECK(one.compute_seconds > 0);
    CHECK(one.compute_ended - one.compute_seconds >= one.copy_ended - slack);
    if (i == 0) continue;
    CHECK(one.copy_ended - one.copy_seconds >= reports[i - 1].copy_ended - slack);
    CHECK(one.compute_ended - one.compute_seconds >= reports[i - 1].compute_ended - slack);
  }
}

TEST_CASE("GPU backend: one that times out keeps what it had committed", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const auto on = words_on_gpu({});
  chunk_maker chunks(random);
  counts expected;
  on->drive([&](unsigned worker) {
    on->submit(worker, chunks.make(100'000));
    expected.insert(chunks.last());
    static_cast<void>(on->finish(worker));
    on->commit(worker);
    on->submit(worker, chunks.make(100'000));
    static_cast<void>(on->finish(worker));
    const chunk never_read = chunks.make(100'000);
    // In a real run, another thread calls abandon() during a call.
    CHECK(on->abandon() == 1);
    const auto go_on = [&] {
      on->submit(worker, never_read);
      static_cast<void>(on->finish(worker));
    };
    CHECK_THROWS_AS(go_on(), device_lost);
    CHECK_THROWS_AS(on->commit(worker), device_lost);
  });
  CHECK((taken_from(*on) == expected));
  // The thread has come back, so the next run can use the device.
  const auto next = words_on_gpu({});
  next->drive([&](unsigned worker) {
    next->submit(worker, chunks.make(10));
    static_cast<void>(next->finish(worker));
    next->commit(worker);
  });
  CHECK(taken_from(*next).size() == 1);
}

TEST_CASE("GPU backend: an engine that the task's .cu file does not include is refused by name", "[gpu]") {
  const auto make = [](engine_kind kind) {
    return gpu::make_backends(faulty_words{}, {0}, {.engine = kind});
  };
  CHECK(make(engine_kind::hash).size() == 1);
  CHECK_THROWS_AS(make(engine_kind::sort), usage_error);
  CHECK_THROWS_WITH(make(engine_kind::sort),
                    "this program has no sort engine for the task: its .cu file does not include "
                    "gpu/engines/sort/engine.cuh");
  CHECK_THROWS_WITH(make(engine_kind::dense), "the engine dense cannot run this task; hash and sort can");
}

}  // namespace duomap::test::gpu_gpu_backend_test

#endif
