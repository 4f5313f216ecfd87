// The bytes that one owner of memory has taken from the run's budget.
// host only
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace duomap {

class memory_budget;

/// Null means that there is no limit.
using shared_budget = std::shared_ptr<memory_budget>;

/// Counts the bytes of its owner, and gives them back to the budget when it is destroyed. Several threads may
/// call take() at once. The functions throw memory_exceeded (core/memory_budget.hpp).
class memory_reservation {
 public:
  memory_reservation() = default;
  explicit memory_reservation(shared_budget of) : of_(std::move(of)) {}
  /// A copy takes the same number of bytes once more.
  memory_reservation(const memory_reservation& other) : of_(other.of_) {
    take(other.taken_, "a copy of a result");
  }
  memory_reservation(memory_reservation&& other) noexcept
    : of_(other.of_), taken_(other.taken_.exchange(0)) {}
  memory_reservation& operator=(memory_reservation other) noexcept;
  ~memory_reservation() { give_back(); }

  [[nodiscard]] const shared_budget& of() const noexcept { return of_; }

  /// Call it before the memory is allocated. `what` names the memory in the message.
  void take(std::uint64_t bytes, const char* what);

  /// Throws if take(bytes) would throw now. Takes nothing. Use it for memory that another owner will take.
  void require(std::uint64_t bytes, const char* what) const;

  /// Takes over the bytes of another share of the same budget.
  void add(memory_reservation&& other) noexcept { taken_ += other.taken_.exchange(0); }

  /// Never gives back the bytes taken so far.
  void keep() noexcept { taken_ = 0; }

  /// Gives back all bytes, except those for which keep() was called.
  void give_back() noexcept;

 private:
  shared_budget of_;
  std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace duomap
