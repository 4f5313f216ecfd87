// Tests the stated errors of estimates of different values, and of the buckets of quantiles (sketch_key.hpp).
#include "apps/tasks/table/distinct_estimate.hpp"

#include "apps/tasks/table/scaled_number.hpp"
#include "apps/tasks/table/sketch_key.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::apps_tasks_table_distinct_estimate_test {
namespace {

using namespace duomap::apps;

/// A sketch as groups of rows build it: the largest rank under each key.
class sketch {
 public:
  void add(std::uint64_t hash) {
    char bytes[8];
    key_sink key{bytes, sizeof bytes};
    put_register(hash, key);
    unsigned& rank = ranks_[std::string(bytes, key.size)];
    rank = std::max(rank, rank_of(hash));
  }
  [[nodiscard]] std::int64_t estimate() const {
    std::map<std::int64_t, std::uint64_t> registers;
    for (const auto& [key, rank] : ranks_) ++registers[rank];
    std::vector<counted_number> all;
    for (const auto& [rank, count] : registers) all.push_back({rank, count});
    return distinct_estimate(all);
  }

 private:
  std::map<std::string, unsigned> ranks_;
};

/// The root of the mean square of relative errors over `seeds` sets of `size` values. hash_of(seed, i) is the
/// hash of value i.
double error_of(unsigned seeds, std::uint64_t size, const auto& hash_of) {
  double squares = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    sketch one;
    for (std::uint64_t i = 0; i < size; ++i) one.add(hash_of(seed, i));
    const double error = static_cast<double>(one.estimate()) / static_cast<double>(size) - 1;
    squares += error * error;
  }
  return std::sqrt(squares / seeds);
}

std::string bucket_of(double number) {
  char bytes[8];
  key_sink key{bytes, sizeof bytes};
  put_bucket_of(ordered_bits(number), key);
  return std::string(bytes, key.size);
}

}  // namespace

TEST_CASE("estimates of different values have the stated error") {
  // The root of the mean square over 100 seeds is itself uncertain by 7 %.
  for (const std::uint64_t size : {20u, 300u, 4'000u, 10'000u, 40'000u}) {
    CAPTURE(size);
    CHECK(error_of(100, size, [](std::uint64_t seed, std::uint64_t i) {
            return sketch_hash(static_cast<std::int64_t>(seed << 40 | i));
          }) < 0.0163 * 1.3);
    CHECK(error_of(100, size, [](std::uint64_t seed, std::uint64_t i) {
            const std::string text = "id-" + std::to_string(i * 7 + (seed << 32));
            return sketch_hash(byte_view(text));
          }) < 0.0163 * 1.3);
  }
  CHECK(error_of(10, 1'000'000, [](std::uint64_t seed, std::uint64_t i) {
          return sketch_hash(static_cast<std::int64_t>(i + (seed << 50)));
        }) < 0.0163 * 2);
}

TEST_CASE("few different values are counted nearly exactly") {
  for (std::uint64_t size = 0; size <= 12; ++size) {
    std::int64_t wrong = 0;
    for (std::int64_t seed = 0; seed < 2'000; ++seed) {
      sketch one;
      for (std::uint64_t i = 0; i < size; ++i) {
        const std::string text = std::to_string(seed) + " " + std::to_string(i);
        for (int twice = 0; twice < 2; ++twice) one.add(sketch_hash(byte_view(text)));
      }
      wrong += std::abs(one.estimate() - static_cast<std::int64_t>(size));
    }
    CAPTURE(size);
    // Of n values n * (n - 1) / 2 / 4096 pairs share a register.
    const double expected = 2'000.0 * static_cast<double>(size * (size - (size > 0 ? 1 : 0))) / 2 / 4096;
    CHECK(static_cast<double>(wrong) <= expected + 4 * std::sqrt(expected));
  }
}

TEST_CASE("ranks are those of the upper bits of a hash") {
  CHECK(rank_of(~std::uint64_t{0}) == 1);
  CHECK(rank_of(std::uint64_t{1} << 63) == 1);
  CHECK(rank_of(std::uint64_t{1} << 40) == 24);
  CHECK(rank_of(std::uint64_t{1} << 12) == 52);
  CHECK(rank_of(std::uint64_t{1} << 11) == 53);
  CHECK(rank_of(0) == 53);
}

TEST_CASE("registers that no sketch has are refused") {
  const auto refuses = [](std::vector<counted_number> ranks) {
    CHECK_THROWS_AS(distinct_estimate(ranks), input_error);
  };
  refuses({{0, 1}});
  refuses({{54, 1}});
  refuses({{-1, 1}});
  refuses({{1, 4097}});
  refuses({{1, 4000}, {2, 97}});
  CHECK(distinct_estimate({}) == 0);
  const std::vector<counted_number> full{{53, 4096}};
  CHECK(distinct_estimate(full) == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("numbers of one bucket differ by at most 1/64") {
  std::mt19937_64 random(1);
  std::uint64_t wrong = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::uint64_t bits = random();
    double number = 0, neighbour = 0;
    std::memcpy(&number, &bits, sizeof bits);
    if (!std::isnormal(number)) continue;
    bits ^= random() >> (12 + random() % 52);  // changes only the mantissa
    std::memcpy(&neighbour, &bits, sizeof bits);
    if (!std::isnormal(neighbour)) continue;
    const double apart = std::abs(neighbour / 4 - number / 4),
                 size = std::min(std::abs(number), std::abs(neighbour)) / 4;
    const bool same = bucket_of(number) == bucket_of(neighbour);
    wrong += same && apart > size / 64;
    wrong += !same && apart == 0;
    // Buckets are not smaller than they must be.
    wrong += !same && apart < size / 128 && bucket_of((number / 2 + neighbour / 2)) != bucket_of(number) &&
             bucket_of((number / 2 + neighbour / 2)) != bucket_of(neighbour);
    wrong += bucket_of(-number) == bucket_of(number);
  }
  CHECK(wrong == 0);
  CHECK(bucket_of(0.0) != bucket_of(1e-300));
  CHECK(bucket_of(0.0).find('\n') == std::string::npos);
}

}  // namespace duomap::test::apps_tasks_table_distinct_estimate_test
