// Takes bytes from a budget for one owner, and gives them back.
#include "core/memory_reservation.hpp"

#include "core/memory_budget.hpp"

namespace duomap {

memory_reservation& memory_reservation::operator=(memory_reservation other) noexcept {
  give_back();
  of_ = std::move(other.of_);
  taken_ = other.taken_.exchange(0);
  return *this;
}

void memory_reservation::take(std::uint64_t bytes, const char* what) {
  if (!of_) return;
  of_->take(bytes, what);
  taken_ += bytes;
}

void memory_reservation::require(std::uint64_t bytes, const char* what) const {
  if (!of_) return;
  of_->take(bytes, what);
  of_->give_back(bytes);
}

void memory_reservation::give_back() noexcept {
  const std::uint64_t bytes = taken_.exchange(0);
  if (of_) of_->give_back(bytes);
}

}  // namespace duomap
