// Finds the extremes of each column of a chunk with vector instructions.
#include "numeric/kmeans/column_extremes.hpp"

#include <algorithm>

namespace duomap {
namespace {

/// Rows of few columns are joined into one long row, so that vector instructions fill a whole register.
constexpr std::uint64_t least_long_row = 32;

/// Finds the extremes of some rows. `odd` stays 0 in every column whose numbers are finite.
template <class T>
void add_long_rows(const T* values, std::uint64_t count, std::uint64_t length, T* __restrict__ odd,
                   T* __restrict__ least, T* __restrict__ most) {
  for (std::uint64_t at = 0; at < count; at += length) {
    const T* const row = values + at;
    const std::uint64_t here = std::min(length, count - at);
    for (std::uint64_t c = 0; c < here; ++c) {
      odd[c] += row[c] - row[c];
      least[c] = row[c] < least[c] ? row[c] : least[c];
      most[c] = row[c] > most[c] ? row[c] : most[c];
    }
  }
}

}  // namespace

template <class T>
typename column_extremes<T>::found_extremes column_extremes<T>::extremes_of(const chunk& part) const {
  const std::uint64_t length = columns * ((least_long_row + columns - 1) / columns);
  constexpr T infinity = std::numeric_limits<T>::infinity();
  std::vector<T> odd(length), least(length, infinity), most(length, -infinity);
  add_long_rows(reinterpret_cast<const T*>(part.data), part.size / records().row_bytes() * columns, length,
                odd.data(), least.data(), most.data());
  found_extremes all{std::vector<T>(columns, infinity), std::vector<T>(columns, -infinity)};
  for (std::uint64_t i = 0; i < length; ++i) {
    const std::uint64_t c = i % columns;
    all.least[c] = std::min(all.least[c], least[i]);
    all.most[c] = std::max(all.most[c], most[i]);
    all.finite = all.finite && odd[i] == 0;
  }
  return all;
}

template struct column_extremes<float>;
template struct column_extremes<double>;

}  // namespace duomap
