// Finds the largest squared distance of a chunk of points on the CPU.
#include "numeric/kmeans/farthest_in_groups.hpp"

#include <vector>

namespace duomap {

template <class T>
double farthest_in_groups<T>::largest_square(const chunk& part) const {
  std::vector<std::uint32_t> nearest(part.size / records().row_bytes());
  step.find_nearest(part, nearest.data());
  const T* const points = reinterpret_cast<const T*>(part.data);
  double largest = 0;
  for (std::uint64_t p = 0; p < nearest.size(); ++p)
    largest = std::max(largest, square_to(points + p * step.dimensions, nearest[p]));
  return largest;
}

template struct farthest_in_groups<float>;
template struct farthest_in_groups<double>;

}  // namespace duomap
