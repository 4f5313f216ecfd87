// Keeps, for each part of a shared array, the GPU that claimed it and the memory where it lies.
#include "gpu/feed/shared_parts.hpp"

#include <algorithm>
#include <utility>

namespace duomap::gpu {

std::optional<unsigned> shared_parts::claim(const void* owner, unsigned parts) {
  const std::lock_guard held(mutex_);
  parts_.resize(parts);
  const auto free = std::ranges::find(parts_, nullptr, &state::owner);
  if (free == parts_.end()) return std::nullopt;
  free->owner = owner;
  return static_cast<unsigned>(free - parts_.begin());
}

void shared_parts::arrived(unsigned part, array_on_gpu where) {
  {
    const std::lock_guard held(mutex_);
    parts_[part].where = std::move(where);
  }
  changed_.notify_all();
}

std::optional<array_on_gpu> shared_parts::find(unsigned part, std::chrono::duration<double> patience) {
  std::unique_lock held(mutex_);
  changed_.wait_for(held, patience, [&] { return parts_[part].where || parts_[part].owner == nullptr; });
  return parts_[part].where;
}

void shared_parts::withdraw(const void* owner) {
  std::vector<state> gone;  // destroyed outside the lock, because this releases device memory
  {
    const std::lock_guard held(mutex_);
    for (state& one : parts_) {
      if (one.owner == owner) gone.push_back(std::exchange(one, {}));
    }
  }
  changed_.notify_all();
}

}  // namespace duomap::gpu
