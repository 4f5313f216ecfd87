// Which GPU brings which part of an array that all GPUs of a run need, and where the others find it.
// host only
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace duomap::gpu {

/// An array in the memory of a GPU, which stays there for as long as somebody has this.
struct array_on_gpu {
  int device = 0;
  std::shared_ptr<const char> bytes;
};

/// The parts of one array, as many as the run has GPUs. Each GPU claims one, brings it over its link and says
/// when it is there. It then claims what nobody has, which is the part of a GPU that is not started yet, and
/// copies all other parts from where they are. Any thread may call any method; an owner is whatever address
/// stands for a GPU.
class shared_parts {
 public:
  /// A part that nobody has claimed, now the owner's; none: all are claimed. `parts` is the same in each
  /// call.
  [[nodiscard]] std::optional<unsigned> claim(const void* owner, unsigned parts);

  /// A part that was claimed is there.
  void arrived(unsigned part, array_on_gpu where);

  /// Waits until a part is there. None if nobody brings it, or if it is not there after so many seconds: then
  /// the caller brings it itself, so that a GPU that hangs stops no other.
  [[nodiscard]] std::optional<array_on_gpu> find(unsigned part, std::chrono::duration<double> patience);

  /// What the owner has claimed is nobody's.
  void withdraw(const void* owner);

 private:
  struct state {
    const void* owner = nullptr;
    std::optional<array_on_gpu> where;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<state> parts_;  // guarded by mutex_
};

}  // namespace duomap::gpu
