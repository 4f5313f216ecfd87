// The bytes that one owner of memory has taken from the budget of its run.
// host only
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace duomap {

class memory_budget;

/// Null: there is no limit.
using shared_budget = std::shared_ptr<memory_budget>;

/// Gives its bytes back to the budget when it is destroyed, together with the memory. take() may be called by
/// several threads at once. Its functions throw memory_exceeded (core/memory_budget.hpp).
class memory_share {
 public:
  memory_share() = default;
  explicit memory_share(shared_budget of) : of_(std::move(of)) {}
  /// Takes the same number of bytes again.
  memory_share(const memory_share& other) : of_(other.of_) { take(other.taken_, "a copy of a result"); }
  memory_share(memory_share&& other) noexcept : of_(other.of_), taken_(other.taken_.exchange(0)) {}
  memory_share& operator=(memory_share other) noexcept;
  ~memory_share() { give_back(); }

  [[nodiscard]] const shared_budget& of() const noexcept { return of_; }

  /// Call it before memory is asked for; `what` names the memory in the message.
  void take(std::uint64_t bytes, const char* what);

  /// Throws if `bytes` could not be taken now. Use it for memory that another owner will take.
  void require(std::uint64_t bytes, const char* what) const;

  /// Takes over the bytes of another share of the same budget.
  void add(memory_share&& other) noexcept { taken_ += other.taken_.exchange(0); }

  /// Leaves the bytes taken until the budget ends.
  void keep() noexcept { taken_ = 0; }

  /// Gives back the bytes that were taken and not kept.
  void give_back() noexcept;

 private:
  shared_budget of_;
  std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace duomap
