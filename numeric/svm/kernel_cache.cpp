// Keeps kernel rows in the order of their last use, and gives the oldest row's place to a new one.
#include "numeric/svm/kernel_cache.hpp"

#include <algorithm>

namespace duomap {

template <class T>
kernel_cache<T>::kernel_cache(std::uint64_t rows, std::uint64_t length, std::uint64_t bytes)
  : length_(length),
    most_(length == 0 ? 0 : std::min(rows, bytes / (length * sizeof(T)))),
    slot_of_(rows, slots_.end()) {
  if (most_ > 0) memory_ = allocate_zeroed(most_ * length * sizeof(T), "the cache of kernel rows");
}

template <class T>
const T* kernel_cache<T>::find(std::uint32_t row) {
  const auto found = slot_of_[row];
  if (found == slots_.end()) return nullptr;
  found->used = round_;
  slots_.splice(slots_.begin(), slots_, found);
  return values(*found);
}

template <class T>
T* kernel_cache<T>::make_room(std::uint32_t row) {
  if (slots_.size() < most_) {
    slots_.push_front({row, round_, slots_.size()});
  } else {
    if (slots_.empty() || slots_.back().used == round_) return nullptr;
    slot_of_[slots_.back().row] = slots_.end();
    slots_.splice(slots_.begin(), slots_, std::prev(slots_.end()));
    slots_.front().row = row;
    slots_.front().used = round_;
  }
  slot_of_[row] = slots_.begin();
  return values(slots_.front());
}

template class kernel_cache<float>;
template class kernel_cache<double>;

}  // namespace duomap
