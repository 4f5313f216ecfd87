// Tests look-ups in a result: they give the values of the original map, on several threads and after any
// move.
#include "core/result/key_index.hpp"

#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duomap::test::core_result_key_index_test {
namespace {

struct counted_lines {
  using format = lines;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  DUOMAP_HD void map(const line& one, auto& emit) const { emit(one.text, 1); }
};

struct counted_lengths {
  using format = lines;
  using key = std::uint32_t;
  using reduce = sum<std::uint64_t>;
  DUOMAP_HD void map(const line& one, auto& emit) const {
    emit(static_cast<std::uint32_t>(one.text.size), 1);
  }
};

struct longest_by_letter {
  using format = lines;
  using key = dense;
  using reduce = top_k<std::uint32_t, std::greater<>>;
  [[nodiscard]] std::uint64_t key_count() const { return 26; }
  [[nodiscard]] reduce reduction() const { return {.k = 2}; }
  void map(const line& one, auto& emit) const {
    emit(static_cast<std::uint64_t>(one.text.data[0] - 'a'), static_cast<std::uint32_t>(one.text.size));
  }
};

const run_options on_cpu{.device = device_choice::cpu};

}  // namespace

TEST_CASE("a result that is asked for a key gives its value, or says that there is none") {
  auto random = std::mt19937_64(seed());
  std::unordered_map<std::string, std::uint64_t> expected;
  std::string text;
  for (unsigned i = 0; i < (torture ? 2'000U : 100'000U); ++i) {
    // Short keys, keys of exactly the longest short length, and long ones.
    const std::string line(random() % 40, static_cast<char>('a' + random() % 3));
    const std::string key = line + std::to_string(random() % 500);
    ++expected[key];
    text += key + "\n";
  }
  auto counts = run(counted_lines{}, text_input(text), on_cpu);
  REQUIRE(counts.size() == expected.size());
  const auto agrees = [&](const auto& result) {
    std::uint64_t wrong = 0;
    for (const auto& [key, count] : expected) {
      wrong += result.find(byte_view(key)) != count || !result.contains(byte_view(key)) ||
               result.at(byte_view(key)) != count;
      const std::string other = key + "x";
      wrong += result.contains(byte_view(other)) || result.find(byte_view(other)).has_value();
    }
    return wrong == 0;
  };

  SECTION("several threads at once") {
    std::vector<char> right(4);
    std::vector<std::thread> threads;
    for (char& one : right) threads.emplace_back([&] { one = agrees(counts); });
    for (std::thread& one : threads) one.join();
    CHECK(right == std::vector<char>(4, 1));
  }
  SECTION("after a move, a copy and an assignment") {
    CHECK(agrees(counts));
    auto moved = std::move(counts);
    CHECK(agrees(moved));
    auto copied = moved;
    CHECK(agrees(copied));
    moved = copied;
    CHECK(agrees(moved));
  }
  SECTION("while rows are taken out") {
    const std::vector<std::pair<std::string, std::uint64_t>> rows(expected.begin(), expected.end());
    for (std::size_t i = 0; i < rows.size(); i += 1 + rows.size() / 50) {
      CHECK(counts.contains(byte_view(rows[i].first)));
      CHECK(counts.take(byte_view(rows[i].first)) == rows[i].second);
      CHECK_FALSE(counts.contains(byte_view(rows[i].first)));
      expected.erase(rows[i].first);
    }
    CHECK(agrees(counts));
  }
  SECTION("a key that nobody emitted") {
    CHECK_THROWS_AS(counts.at("none of them"), std::out_of_range);
    CHECK_FALSE(counts.find(byte_view{"", 0}).has_value());
  }
}

TEST_CASE("a result of numbers and an empty one are asked for keys") {
  const auto lengths = run(counted_lengths{}, text_input("a\nbb\ncc\n\n"), on_cpu);
  CHECK(lengths.at(2) == 2);
  CHECK(lengths.find(0) == 1u);
  CHECK_FALSE(lengths.contains(3));
  const auto none = run(counted_lengths{}, text_input(""), on_cpu);
  CHECK_FALSE(none.contains(0));
  CHECK_THROWS_AS(none.at(0), std::out_of_range);
}

TEST_CASE("a result of best values is asked for keys") {
  const auto longest = run(longest_by_letter{}, text_input("a\nab\nabc\nc\n"), on_cpu);
  CHECK(longest.at(0) == std::vector<std::uint32_t>{3, 2});
  CHECK(longest.find(2) == std::vector<std::uint32_t>{1});
  CHECK_FALSE(longest.find(1));
  CHECK(longest.contains(2));
  CHECK_FALSE(longest.contains(26));
  CHECK_THROWS_AS(longest.at(1), std::out_of_range);
}

}  // namespace duomap::test::core_result_key_index_test
