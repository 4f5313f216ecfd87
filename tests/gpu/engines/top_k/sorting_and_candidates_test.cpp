// Tests gpu/engines/top_k/sorting_network.hpp and candidate.hpp without a GPU: sorting network, selection,
// and the list that warps share.
#include "gpu/engines/top_k/candidate.hpp"
#include "gpu/engines/top_k/sorting_network.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <thread>
#include <vector>

namespace duomap::gpu::gpu_engines_top_k_sorting_and_candidates_test {
namespace {

template <class T, class Less>
void sort_by_network(std::vector<T>& items, const Less& less) {
  const std::uint64_t count = items.size();
  for (std::uint64_t size = 2; size / 2 < count; size *= 2) {
    for (std::uint64_t i = 0; i < pairs_of(count, size); ++i)
      put_in_order(items.data(), count, mirrored_pair(i, size), less);
    for (std::uint64_t distance = size / 4; distance > 0; distance /= 2) {
      for (std::uint64_t i = 0; i < pairs_of(count, 2 * distance); ++i)
        put_in_order(items.data(), count, distant_pair(i, distance), less);
    }
  }
}

struct greater_value {
  bool operator()(int a, int b) const { return a > b; }
};

}  // namespace

TEST_CASE("top k: the sorting network sorts any number of items", "[tables]") {
  std::mt19937_64 random(test::seed());
  for (std::uint64_t count = 0; count <= 130; ++count) {
    for (const unsigned different : {2u, 10u, 1000u}) {
      std::vector<unsigned> items;
      for (std::uint64_t i = 0; i < count; ++i) items.push_back(static_cast<unsigned>(random() % different));
      std::vector<unsigned> expected = items;
      std::sort(expected.begin(), expected.end());
      sort_by_network(items, std::less<>{});
      CHECK(items == expected);
    }
  }
}

TEST_CASE("top k: the best of each key are kept, and the last of them bounds it", "[tables]") {
  std::mt19937_64 random(test::seed());
  const candidate_order<greater_value> order{};
  for (const std::uint64_t k : {1u, 2u, 5u, 100u}) {
    std::vector<candidate<int>> items;
    for (unsigned i = 0; i < 300; ++i) items.push_back({random() % 7, static_cast<int>(random() % 50)});
    std::sort(items.begin(), items.end(), order);
    for (std::uint64_t key = 0; key < 7; ++key) {
      std::vector<int> values;
      std::vector<int> kept;
      std::vector<int> bounds;
      for (std::uint64_t at = 0; at < items.size(); ++at) {
        if (items[at].key != key) continue;
        values.push_back(items[at].value);
        if (is_among_best(items.data(), at, k)) kept.push_back(items[at].value);
        if (is_last_of_best(items.data(), at, k)) bounds.push_back(items[at].value);
      }
      const std::uint64_t expected = std::min<std::uint64_t>(k, values.size());
      CHECK(kept == std::vector<int>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(expected)));
      if (values.size() >= k) {
        CHECK(bounds == std::vector<int>{values[k - 1]});
      } else {
        CHECK(bounds.empty());
      }
    }
  }
}

TEST_CASE("top k: a bound lets through what is better", "[tables]") {
  CHECK(top_bound<int>{}.lets_through(-1000, greater_value{}));
  const top_bound<int> bound{10, true};
  CHECK(bound.lets_through(11, greater_value{}));
  CHECK_FALSE(bound.lets_through(10, greater_value{}));
  CHECK_FALSE(bound.lets_through(9, greater_value{}));
}

TEST_CASE("top k: many threads add to a list within what they reserved", "[tables]") {
  constexpr std::uint64_t capacity = 10'000;
  constexpr unsigned users = 8;
  std::vector<candidate<std::uint64_t>> items(capacity);
  candidate_counters counters;
  const candidate_list<std::uint64_t> list{items.data(), &counters, capacity};
  CHECK_FALSE(list.reserve(capacity + 1));
  std::vector<std::thread> threads;
  std::vector<std::uint64_t> added(users, 0);
  for (unsigned user = 0; user < users; ++user) {
    threads.emplace_back([&, user] {
      std::mt19937_64 random(test::seed() + user);
      while (list.reserve(10)) {
        const std::uint64_t count = random() % 11;
        candidate<std::uint64_t>* const to = list.add(count);
        for (std::uint64_t i = 0; i < count; ++i) to[i] = {user + 1, added[user] + i};
        added[user] += count;
        list.give_back(10 - count);
      }
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK(counters.reserved == counters.written);
  // Near the end, reservations of several threads may make each other fail, so some room stays empty.
  CHECK(counters.written > capacity - 20 * users);
  std::vector<std::uint64_t> found(users, 0);
  for (std::uint64_t i = 0; i < counters.written; ++i) {
    REQUIRE(items[i].key > 0);
    ++found[items[i].key - 1];
  }
  CHECK(found == added);
}

}  // namespace duomap::gpu::gpu_engines_top_k_sorting_and_candidates_test
