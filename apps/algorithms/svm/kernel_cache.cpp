#include "apps/algorithms/svm/kernel_cache.hpp"

#include <algorithm>

namespace duomap {

kernel_cache::kernel_cache(std::uint64_t rows, std::uint64_t length, std::uint64_t bytes)
  : length_(length),
    most_(length == 0 ? 0 : std::min(rows, bytes / (length * sizeof(float)))),
    slot_of_(rows, slots_.end()) {
  if (most_ > 0) memory_ = allocate_zeroed(most_ * length * sizeof(float), "the cache of kernel rows");
}

const float* kernel_cache::find(std::uint32_t row) {
  const auto found = slot_of_[row];
  if (found == slots_.end()) return nullptr;
  found->used = round_;
  slots_.splice(slots_.begin(), slots_, found);
  return values(*found);
}

float* kernel_cache::make_room(std::uint32_t row) {
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

}  // namespace duomap
