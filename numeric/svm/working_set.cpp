// Chooses the rows of a working set, and solves their problem in steps of two multipliers.
#include "numeric/svm/working_set.hpp"

#include "numeric/svm/svm_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duomap {
namespace {

/// A row that violates the optimum, and the size of the violation.
struct candidate {
  double violation;
  std::uint32_t row;

  friend bool operator<(const candidate& a, const candidate& b) {
    return a.violation != b.violation ? a.violation > b.violation : a.row < b.row;
  }
};

void keep_most_violating(std::vector<candidate>& candidates, std::size_t count) {
  if (candidates.size() <= count) return;
  std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                   candidates.end());
  candidates.resize(count);
}

template <class T>
constexpr T never = std::numeric_limits<T>::infinity();

}  // namespace

std::vector<std::uint32_t> choose_working_set(const multipliers& all, const bounds& now, std::size_t size,
                                              std::size_t kept, const std::vector<std::uint32_t>& before) {
  std::vector<candidate> ups, lows;
  for (std::size_t i = 0; i < all.f.size(); ++i) {
    const auto row = static_cast<std::uint32_t>(i);
    if (-all.f[i] > now.low && all.of_row[i].in_up()) ups.push_back({-all.f[i], row});
    if (-all.f[i] < now.up && all.of_row[i].in_low()) lows.push_back({all.f[i], row});
  }
  const std::size_t fresh = size - std::min(kept, before.size());
  keep_most_violating(ups, fresh / 2);
  keep_most_violating(lows, fresh - fresh / 2);
  std::vector<std::uint32_t> rows;
  for (const candidate& one : ups) rows.push_back(one.row);
  for (const candidate& one : lows) rows.push_back(one.row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const std::size_t found = rows.size();
  // Multipliers strictly between their bounds come first, because they move most often.
  for (const bool free : {true, false}) {
    for (const std::uint32_t row : before) {
      if (rows.size() >= size) break;
      const multiplier& one = all.of_row[row];
      if ((one.in_up() && one.in_low()) == free &&
          !std::binary_search(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(found), row))
        rows.push_back(row);
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

template <class T>
working_set<T>::working_set(std::size_t most)
  : stride_((most + svm_widest_vector - 1) / svm_widest_vector * svm_widest_vector),
    kernel_(stride_ * stride_),
    f_(stride_),
    up_(stride_),
    low_(stride_),
    diagonal_(stride_),
    own_(most) {}

template <class T>
bool working_set<T>::overflows() const {
  return !std::all_of(diagonal_.begin(), diagonal_.begin() + static_cast<std::ptrdiff_t>(count_),
                      [](T value) { return std::isfinite(value); });
}

template <class T>
void working_set<T>::mark(std::size_t index) {
  up_[index] = own_[index].in_up() ? 0 : never<T>;
  low_[index] = own_[index].in_low() ? 0 : never<T>;
}

template <class T>
void working_set<T>::begin(const multipliers& all, const std::vector<std::uint32_t>& rows) {
  count_ = rows.size();
  std::fill(up_.begin(), up_.end(), never<T>);
  std::fill(low_.begin(), low_.end(), never<T>);
  std::fill(f_.begin(), f_.end(), T{});
  // Subtracts the middle of the rows' f, because a large common offset would cost digits in single precision.
  bounds among;
  for (const std::uint32_t row : rows) {
    if (all.of_row[row].in_up()) among.up = std::max(among.up, -all.f[row]);
    if (all.of_row[row].in_low()) among.low = std::min(among.low, -all.f[row]);
  }
  const double middle = (among.up + among.low) / 2;
  for (std::size_t i = 0; i < count_; ++i) {
    own_[i] = all.of_row[rows[i]];
    f_[i] = static_cast<T>(all.f[rows[i]] + middle);
    mark(i);
  }
}

template <class T>
std::uint64_t working_set<T>::solve(double tolerance, std::uint64_t most_steps) {
  const svm_vectors<T>& vectors = svm_vectors_for<T>(cpu::active_vector_path());
  for (std::size_t i = 0; i < count_; ++i) diagonal_[i] = kernel_[i * stride_ + i];
  const pair_arguments<T> with{.f = f_.data(),
                               .up = up_.data(),
                               .low = low_.data(),
                               .diagonal = diagonal_.data(),
                               .kernel = kernel_.data(),
                               .stride = stride_,
                               .count = count_};
  std::uint64_t steps = 0;
  while (steps < most_steps) {
    const pair_choice pair = vectors.choose_pair(with);
    if (!(pair.gap > 0) || (pair.gap < tolerance && steps > 0)) break;
    const T* const first = kernel_.data() + pair.up * stride_;
    const T* const second = kernel_.data() + pair.low * stride_;
    const double curvature = static_cast<double>(diagonal_[pair.up]) +
                             static_cast<double>(diagonal_[pair.low]) -
                             2 * static_cast<double>(first[pair.low]);
    if (!std::isfinite(curvature)) break;
    const double violation = static_cast<double>(f_[pair.low]) - static_cast<double>(f_[pair.up]);
    const auto by = static_cast<T>(step(own_[pair.up], own_[pair.low], violation, curvature));
    ++steps;
    mark(pair.up);
    mark(pair.low);
    vectors.add_two(by, first, -by, second, count_, f_.data());
  }
  return steps;
}

template class working_set<float>;
template class working_set<double>;

}  // namespace duomap
