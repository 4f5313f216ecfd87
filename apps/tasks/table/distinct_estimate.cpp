// Computes the estimate of a HyperLogLog sketch.
#include "apps/tasks/table/distinct_estimate.hpp"

#include "apps/tasks/table/sketch_key.hpp"
#include "core/error.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace duomap::apps {
namespace {

// The sum of x^(2^k) * 2^(k-1) over k from 0 on, in Ertl's paper sigma(x). Empty registers have a share of
// it.
double sum_of_powers(double x) {
  double weight = 1, sum = x, before = 0;
  do {
    x *= x;
    before = sum;
    sum += x * weight;
    weight += weight;
  } while (sum != before);
  return sum;
}

// Ertl's tau(x), the share of registers whose rank is the largest one.
double sum_of_roots(double x) {
  if (x == 0 || x == 1) return 0;
  double weight = 1, sum = 1 - x, before = 0;
  do {
    x = std::sqrt(x);
    before = sum;
    weight /= 2;
    sum -= (1 - x) * (1 - x) * weight;
  } while (sum != before);
  return sum / 3;
}

}  // namespace

std::int64_t distinct_estimate(std::span<const counted_number> ranks) {
  std::array<double, rank_bits + 2> registers{};
  std::uint64_t filled = 0;
  for (const counted_number& one : ranks) {
    if (one.number < 1 || one.number > rank_bits + 1 || one.rows > most_registers - filled)
      throw input_error(
          "the result has registers that no sketch has, so a part was not made by this program; "
          "map again");
    registers[static_cast<std::size_t>(one.number)] += static_cast<double>(one.rows);
    filled += one.rows;
  }
  if (filled == 0) return 0;
  constexpr double all = most_registers;
  double sum = all * sum_of_roots(1 - registers[rank_bits + 1] / all);
  for (unsigned rank = rank_bits; rank > 0; --rank) sum = (sum + registers[rank]) / 2;
  sum += all * sum_of_powers(static_cast<double>(most_registers - filled) / all);
  const double estimate = all * all / (2 * std::log(2.0)) / sum;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return estimate < static_cast<double>(most) ? std::llround(estimate) : most;
}

}  // namespace duomap::apps
