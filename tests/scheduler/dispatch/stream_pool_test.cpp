// Tests how workers share streams.
#include "scheduler/dispatch/stream_pool.hpp"

#include "core/input/block_reader.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::test::scheduler_stream_pool_test {

using scheduler::stream_pool;

std::unique_ptr<stream_pool::open_stream> acquire(stream_pool& from, bool wait) {
  block unused;
  return from.take(unused, wait).stream;
}

TEST_CASE("a pool without streams has none to wait for", "[stream_pool]") {
  stream_pool none({});
  CHECK(acquire(none, false) == nullptr);
  CHECK(acquire(none, true) == nullptr);
}

TEST_CASE("a stream is in one hand at a time, and goes round until it has ended", "[stream_pool]") {
  stream_pool pool({7, 9});
  auto first = acquire(pool, true);
  auto second = acquire(pool, true);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(std::set{first->source, second->source} == std::set<std::uint32_t>{7, 9});
  CHECK(first->reader == nullptr);
  CHECK(acquire(pool, false) == nullptr);

  const std::uint32_t returned = first->source;
  pool.release(std::move(first), false);
  first = acquire(pool, true);
  REQUIRE(first);
  CHECK(first->source == returned);
  pool.release(std::move(first), true);
  CHECK(acquire(pool, false) == nullptr);
  pool.release(std::move(second), true);
  CHECK(acquire(pool, true) == nullptr);
}

TEST_CASE("what is open is read on before another stream is opened", "[stream_pool]") {
  stream_pool pool({0, 1, 2});
  for (int round = 0; round < 3; ++round) {
    auto stream = acquire(pool, true);
    REQUIRE(stream);
    CHECK(stream->source == 0);
    pool.release(std::move(stream), round == 2);
  }
  const auto next = acquire(pool, true);
  REQUIRE(next);
  CHECK(next->source == 1);
}

TEST_CASE("a worker that waits for a stream gets it when it is given back", "[stream_pool]") {
  stream_pool pool({3});
  auto mine = acquire(pool, true);
  std::atomic<bool> got = false;
  std::jthread waiter([&] {
    auto stream = acquire(pool, true);
    got = stream != nullptr && stream->source == 3;
    if (stream) pool.release(std::move(stream), true);
  });
  pool.release(std::move(mine), false);
  waiter.join();
  CHECK(got);
}

TEST_CASE("all that wait learn that the last stream has ended", "[stream_pool]") {
  stream_pool pool({0});
  auto mine = acquire(pool, true);
  std::atomic<int> without = 0;
  {
    std::vector<std::jthread> waiters;
    for (int i = 0; i < 4; ++i) {
      waiters.emplace_back([&] { without += acquire(pool, true) == nullptr ? 1 : 0; });
    }
    pool.release(std::move(mine), true);
  }
  CHECK(without == 4);
}

TEST_CASE("stopping ends all waiting, though a stream was never given back", "[stream_pool]") {
  stream_pool pool({0, 1});
  std::atomic<int> without = 0, holders = 0;
  {
    std::vector<std::jthread> waiters;
    for (int i = 0; i < 5; ++i) {
      waiters.emplace_back([&] {
        try {
          const auto stream = acquire(pool, true);
          if (!stream) {
            ++without;
            return;
          }
          // Two threads get here. The second fails while it holds a stream. Neither gives its stream back.
          if (++holders == 2) throw std::runtime_error("a stream cannot be read");
        } catch (const std::runtime_error&) {
          pool.stop();
        }
      });
    }
  }
  CHECK(without == 3);
  CHECK(acquire(pool, true) == nullptr);
  CHECK(acquire(pool, false) == nullptr);
}

block block_with(const std::string& text) {
  block made;
  made.reserve(text.size());
  std::copy(text.begin(), text.end(), made.data());
  made.resize(text.size());
  return made;
}

TEST_CASE("a block is passed on to a worker that waits, and its stream stays with the reader",
          "[stream_pool]") {
  stream_pool pool({4});
  auto mine = acquire(pool, true);
  std::string got;
  std::optional<std::uint32_t> source;
  bool ended = false;
  std::jthread waiter([&] {
    block bytes;
    stream_pool::turn turn = pool.take(bytes, true);
    source = turn.source;
    got = std::string(bytes.bytes().text());
    turn = pool.take(bytes, true);
    ended = !turn.source && turn.stream == nullptr;
  });
  block bytes = block_with("first");
  // If no thread waits for a block, pass_on() returns it, and the test offers the block again.
  while (pool.pass_on(bytes, 4)) std::this_thread::yield();
  CHECK(bytes.bytes().empty());
  pool.release(std::move(mine), true);
  waiter.join();
  CHECK(source == 4);
  CHECK(got == "first");
  CHECK(ended);
}

TEST_CASE("a reader maps the oldest of the blocks that nobody takes, and then has its stream again",
          "[stream_pool]") {
  stream_pool pool({4});
  auto mine = acquire(pool, true);
  {
    std::jthread waiter([&] {
      block bytes;
      static_cast<void>(pool.take(bytes, true));
    });
    block bytes = block_with("0");
    while (pool.pass_on(bytes, 4)) std::this_thread::yield();
  }
  std::string got;
  for (const char* const text : {"1", "2", "3"}) {
    block bytes = block_with(text);
    if (pool.pass_on(bytes, 4)) got += bytes.bytes().text();
  }
  CHECK(got == "1");
  pool.release(std::move(mine), false);
  {
    std::jthread other([&] {
      block bytes;
      CHECK(pool.take(bytes, true).source == 4);
      got += bytes.bytes().text();
    });
  }
  CHECK(got == "12");
  mine = acquire(pool, true);
  REQUIRE(mine);
  pool.release(std::move(mine), true);
  block bytes;
  CHECK(pool.take(bytes, true).source == 4);
  CHECK(bytes.bytes().text() == "3");
  CHECK(pool.take(bytes, true).source == std::nullopt);
}

TEST_CASE("workers together read every block of every stream once", "[stream_pool]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 10; ++round) {
    std::vector<std::string> texts;
    std::vector<std::uint32_t> sources;
    for (std::uint32_t i = 0; i < 20; ++i) {
      texts.push_back(test::random_text(random, random() % 3 == 0 ? 0 : random() % 3000));
      sources.push_back(i);
    }
    struct piece {
      std::uint32_t source;
      std::uint64_t offset;
      std::string text;
    };
    constexpr unsigned workers = 4;
    std::vector<std::vector<piece>> pieces(workers);
    // A separator_boundary counts the bytes it examines, so threads cannot share it.
    std::vector<std::unique_ptr<test::separator_boundary>> boundaries;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      boundaries.push_back(std::make_unique<test::separator_boundary>(" \n."));
    }
    std::atomic<int> open = 0;
    std::atomic<int> most_open = 0;
    stream_pool pool(sources);
    {
      std::vector<std::jthread> threads;
      for (unsigned worker = 0; worker < workers; ++worker) {
        threads.emplace_back([&, worker] {
          block bytes;
          const auto keep = [&](std::uint32_t source) {
            pieces[worker].push_back({source, bytes.offset(), std::string(bytes.bytes().text())});
          };
          for (;;) {
            auto [passed, stream] = pool.take(bytes, true);
            if (passed) {
              keep(*passed);
              continue;
            }
            if (!stream) break;
            const std::uint32_t source = stream->source;
            if (!stream->reader) {
              const int now = ++open;
              for (int most = most_open; now > most && !most_open.compare_exchange_weak(most, now);) {
              }
              stream->reader = std::make_unique<block_reader>(
                  std::make_unique<test::text_stream>(texts[source], 50), *boundaries[source], 100);
            }
            std::optional<std::uint32_t> mine;
            bool found = true;
            while (!mine && (found = stream->reader->next(bytes))) mine = pool.pass_on(bytes, source);
            if (!found) --open;
            pool.release(std::move(stream), !found);
            if (mine) keep(*mine);
          }
        });
      }
    }
    CHECK(most_open <= static_cast<int>(workers));
    // Each worker gets the blocks of a source in the order of the source.
    for (const auto& some : pieces) {
      std::map<std::uint32_t, std::uint64_t> last;
      for (const piece& each : some) {
        const auto [of, first] = last.emplace(each.source, each.offset);
        CHECK((first || of->second < each.offset));
        of->second = each.offset;
      }
    }
    std::vector<piece> all;
    for (auto& some : pieces) all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end(), [](const piece& a, const piece& b) {
      return a.source != b.source ? a.source < b.source : a.offset < b.offset;
    });
    std::vector<std::string> read(texts.size());
    for (const piece& each : all) {
      REQUIRE(each.offset == read[each.source].size());
      read[each.source] += each.text;
    }
    CHECK((read == texts));
  }
}

}  // namespace duomap::test::scheduler_stream_pool_test
