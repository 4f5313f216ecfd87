// Runs a k-means step on the CPU: pads its arrays for vectors, and finds and adds up points batch by batch.
#include "numeric/kmeans/lloyd_step.hpp"

#include "numeric/kmeans/vector_step.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace duomap {
namespace {

using kmeans_paths::path;
using kmeans_paths::setting;

// The number of coordinates in a batch of points. A batch is small enough to be still in the first-level
// cache when its points are added to the sums.
constexpr std::uint64_t batch_numbers = 4096;

/// The step's arrays, padded as the vector paths need them.
template <class T>
struct padded_step {
  explicit padded_step(const lloyd_step<T>& step)
    : ways(kmeans_paths::active<T>()),
      with{step.dimensions,       step.centres(), nullptr, nullptr, step.negative_centres.data,
           step.half_squares.data},
      shift(with.padded()),
      rounders(with.padded()),
      tile(std::uint64_t{ways.tile_points} * step.dimensions),
      batch(std::clamp<std::uint64_t>(batch_numbers / step.dimensions, ways.tile_points, 1024) /
            ways.tile_points * ways.tile_points),
      nearest(batch) {
    std::copy_n(step.shift.data, step.dimensions, shift.begin());
    std::copy_n(step.rounders.data, step.dimensions, rounders.begin());
    with.shift = shift.data();
    with.rounders = rounders.data();
  }

  const path<T>& ways;
  setting<T> with;
  std::vector<T> shift;
  std::vector<double> rounders;
  std::vector<T> tile;
  std::uint64_t batch;
  std::vector<std::uint32_t> nearest;
};

/// Passes the points of a chunk to `use` in order, batch by batch.
template <class T, class Use>
void for_each_batch(const lloyd_step<T>& step, const chunk& part, std::uint64_t batch, const Use& use) {
  const std::uint64_t count = part.size / step.records().row_bytes();
  const T* const points = reinterpret_cast<const T*>(part.data);
  for (std::uint64_t first = 0; first < count; first += batch)
    use(points + first * step.dimensions, std::min(batch, count - first), first);
}

}  // namespace

template <class T>
void lloyd_step<T>::find_nearest(const chunk& part, std::uint32_t* centre_of_point) const {
  padded_step<T> with(*this);
  with.ways.find_nearest(with.with, reinterpret_cast<const T*>(part.data), part.size / records().row_bytes(),
                         with.tile.data(), centre_of_point);
}

template <class T>
std::vector<std::int64_t> lloyd_step<T>::sums_of(const chunk& part) const {
  padded_step<T> with(*this);
  const std::uint64_t padded = with.with.padded();
  // A vector path reads whole vectors, and so reads beyond the end of a row. The memory behind a view's last
  // points may not be readable, so these points are added from a padded copy.
  const std::uint64_t count = part.size / records().row_bytes();
  const std::uint64_t last =
      std::min<std::uint64_t>(count, (padded - dimensions + dimensions - 1) / dimensions);
  std::vector<T> end(last * dimensions + padded);
  std::copy_n(reinterpret_cast<const T*>(part.data) + (count - last) * dimensions, last * dimensions,
              end.begin());

  std::vector<std::uint64_t> added(centres() * padded);
  std::vector<std::int64_t> sums(key_count());
  for_each_batch(*this, part, with.batch, [&](const T* points, std::uint64_t here, std::uint64_t first) {
    with.ways.find_nearest(with.with, points, here, with.tile.data(), with.nearest.data());
    const std::uint64_t whole = first + here <= count - last ? here : std::max(first, count - last) - first;
    with.ways.add(with.with, points, whole, with.nearest.data(), added.data());
    if (whole < here) {
      with.ways.add(with.with, end.data() + (first + whole - (count - last)) * dimensions, here - whole,
                    with.nearest.data() + whole, added.data());
    }
    for (std::uint64_t p = 0; p < here; ++p) {
      ++sums[std::uint64_t{with.nearest[p]} * (dimensions + 1) + dimensions];
      if (!squares) continue;
      for (std::uint32_t d = 0; d < dimensions; ++d) {
        const std::int64_t units = on_grid(points[p * dimensions + d] - shift[d], d);
        const std::int64_t high = units >> low_bits;
        const std::int64_t low = units - (high << low_bits);
        std::int64_t* const to = sums.data() + sum_keys() + 3 * d;
        to[0] += high * high;
        to[1] += high * low;
        to[2] += low * low;
      }
    }
  });
  for (std::uint64_t c = 0; c < centres(); ++c) {
    const std::uint64_t base = c * (dimensions + 1);
    const auto points = static_cast<std::uint64_t>(sums[base + dimensions]);
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      sums[base + d] = static_cast<std::int64_t>(added[c * padded + d] -
                                                 points * std::bit_cast<std::uint64_t>(rounders[d]));
    }
  }
  return sums;
}

template struct lloyd_step<float>;
template struct lloyd_step<double>;

}  // namespace duomap
