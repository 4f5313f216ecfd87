// Compares a state of group_rows with the numbers that it was made of.
#pragma once

#include "apps/tasks/table/group_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace duomap::test {

/// The number of members of a value column that are not those of `numbers`.
template <unsigned Values>
std::uint64_t wrong_numbers(const apps::group_state<Values>& state, unsigned v,
                            const std::vector<std::int64_t>& numbers) {
  __extension__ using wide = __int128;
  wide sum = 0;
  for (const std::int64_t one : numbers) sum += one;
  std::uint64_t wrong = state.count[v] != numbers.size() || state.real[v] != 0;
  wrong += static_cast<wide>(state.high[v]) * (wide{1} << 32) + state.low[v] != sum;
  if (!numbers.empty())
    wrong += state.least[v] != std::ranges::min(numbers) || state.greatest[v] != std::ranges::max(numbers);
  return wrong;
}

}  // namespace duomap::test
