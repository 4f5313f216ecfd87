// Takes bytes from a budget for one owner, and gives them back.
#include "core/memory_share.hpp"

#include "core/memory_budget.hpp"

namespace duomap {

memory_share& memory_share::operator=(memory_share other) noexcept {
  give_back();
  of_ = std::move(other.of_);
  taken_ = other.taken_.exchange(0);
  return *this;
}

void memory_share::take(std::uint64_t bytes, const char* what) {
  if (!of_) return;
  of_->take(bytes, what);
  taken_ += bytes;
}

void memory_share::require(std::uint64_t bytes, const char* what) const {
  if (!of_) return;
  of_->take(bytes, what);
  of_->give_back(bytes);
}

void memory_share::give_back() noexcept {
  const std::uint64_t bytes = taken_.exchange(0);
  if (of_) of_->give_back(bytes);
}

}  // namespace duomap
