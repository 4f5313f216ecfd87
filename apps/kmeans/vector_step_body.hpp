// How a step of k-means is done, whatever the width of a vector: included by the .cpp file of each path behind
// the definition of DUOMAP_TARGET (the attribute of its functions) and of its lanes. Only there.
// host only

#include "apps/kmeans/vector_step.hpp"

#include <bit>
#include <cstdint>
#include <limits>

namespace duomap::kmeans_paths {
namespace {

/// Tries `Several` centres from `first` on against `Lanes::vectors` vectors of points.
template <class Lanes, std::uint32_t Several, class T>
DUOMAP_TARGET inline void try_centres(const setting<T>& with, const T* tile, std::uint32_t first,
                                      typename Lanes::nearest (&best)[Lanes::vectors]) {
  constexpr std::uint32_t width = Lanes::width, vectors = Lanes::vectors;
  typename Lanes::vector score[Several][vectors];
  const T* centre[Several];
  for (std::uint32_t c = 0; c < Several; ++c) {
    for (std::uint32_t v = 0; v < vectors; ++v) score[c][v] = Lanes::all(with.half_squares[first + c]);
    centre[c] = with.negative_centres + std::uint64_t{first + c} * with.dimensions;
  }
  for (std::uint32_t d = 0; d < with.dimensions; ++d) {
    typename Lanes::vector x[vectors];
    for (std::uint32_t v = 0; v < vectors; ++v) x[v] = Lanes::load(tile + (d * vectors + v) * width);
    for (std::uint32_t c = 0; c < Several; ++c) {
      const typename Lanes::vector by = Lanes::all(centre[c][d]);
      for (std::uint32_t v = 0; v < vectors; ++v) score[c][v] = Lanes::fused(by, x[v], score[c][v]);
    }
  }
  for (std::uint32_t c = 0; c < Several; ++c) {
    for (std::uint32_t v = 0; v < vectors; ++v) Lanes::keep_smaller(best[v], score[c][v], first + c);
  }
}

/// The coordinates of the points less the shift, those of one dimension side by side.
template <class Lanes, class T>
DUOMAP_TARGET inline void fill_tile(const setting<T>& with, const T* points, std::uint32_t count, T* tile) {
  constexpr std::uint32_t in_tile = Lanes::width * Lanes::vectors;
  std::uint32_t p = 0;
  if constexpr (requires { Lanes::block; }) {
    // Squares of points and dimensions change places in registers.
    constexpr std::uint32_t block = Lanes::block;
    for (; p + block <= count; p += block) {
      std::uint32_t d = 0;
      for (; d + block <= with.dimensions; d += block) {
        Lanes::transpose(points + std::uint64_t{p} * with.dimensions + d, with.dimensions, with.shift + d,
                         tile + std::uint64_t{d} * in_tile + p, in_tile);
      }
      for (; d < with.dimensions; ++d) {
        for (std::uint32_t i = 0; i < block; ++i) {
          tile[std::uint64_t{d} * in_tile + p + i] =
              points[std::uint64_t{p + i} * with.dimensions + d] - with.shift[d];
        }
      }
    }
  }
  for (; p < count; ++p) {
    for (std::uint32_t d = 0; d < with.dimensions; ++d) {
      tile[std::uint64_t{d} * in_tile + p] =
          points[std::uint64_t{p} * with.dimensions + d] - with.shift[d];
    }
  }
  for (; p < in_tile; ++p) {
    for (std::uint32_t d = 0; d < with.dimensions; ++d) tile[std::uint64_t{d} * in_tile + p] = 0;
  }
}

template <class Lanes, class T>
DUOMAP_TARGET void find_nearest(const setting<T>& with, const T* points, std::uint64_t count, T* tile,
                                std::uint32_t* centre_of_point) {
  constexpr std::uint32_t in_tile = Lanes::width * Lanes::vectors;
  for (std::uint64_t first = 0; first < count; first += in_tile) {
    const auto valid = static_cast<std::uint32_t>(count - first < in_tile ? count - first : in_tile);
    fill_tile<Lanes>(with, points + first * with.dimensions, valid, tile);
    typename Lanes::nearest best[Lanes::vectors];
    for (auto& one : best) one = Lanes::none();
    std::uint32_t c = 0;
    for (; c + Lanes::centres <= with.centres; c += Lanes::centres)
      try_centres<Lanes, Lanes::centres>(with, tile, c, best);
    for (; c + 2 <= with.centres; c += 2) try_centres<Lanes, 2>(with, tile, c, best);
    for (; c < with.centres; ++c) try_centres<Lanes, 1>(with, tile, c, best);
    std::uint32_t found[in_tile];
    for (std::uint32_t v = 0; v < Lanes::vectors; ++v) Lanes::store(best[v], found + v * Lanes::width);
    for (std::uint32_t p = 0; p < valid; ++p) centre_of_point[first + p] = found[p];
  }
}

/// The compiler makes vectors of the inner loop.
template <class T>
DUOMAP_TARGET void add(const setting<T>& with, const T* points, std::uint64_t count,
                       const std::uint32_t* centre_of_point, std::uint64_t* sums) {
  constexpr std::uint32_t at_once = setting<T>::padding;
  const std::uint32_t padded = with.padded();
  for (std::uint64_t p = 0; p < count; ++p) {
    const T* const point = points + p * with.dimensions;
    std::uint64_t* const to = sums + std::uint64_t{centre_of_point[p]} * padded;
    for (std::uint32_t d = 0; d < padded; d += at_once) {
      double rounded[at_once];
      for (std::uint32_t i = 0; i < at_once; ++i)
        rounded[i] = static_cast<double>(point[d + i] - with.shift[d + i]) + with.rounders[d + i];
      for (std::uint32_t i = 0; i < at_once; ++i) to[d + i] += std::bit_cast<std::uint64_t>(rounded[i]);
    }
  }
}

template <class Lanes, class T>
inline constexpr path<T> path_of{Lanes::width* Lanes::vectors, find_nearest<Lanes, T>, add<T>};

}  // namespace
}  // namespace duomap::kmeans_paths
