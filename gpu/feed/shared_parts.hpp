// Divides an array that all GPUs of a run need: says which GPU brings which part, and where each part lies.
// host only
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace duomap::gpu {

/// An array in a GPU's memory, which stays there as long as any copy of this object lives.
struct array_on_gpu {
  int device = 0;
  std::shared_ptr<const char> bytes;
};

/// The parts of one array, one for each GPU of the run. Each GPU claims a part, brings it over its link and
/// reports its arrival. It then claims parts that are still free, because some GPUs have not started yet, and
/// copies all other parts from the GPUs that have them. Any thread may call any method. An owner is any
/// address that stands for a GPU.
class shared_parts {
 public:
  /// Claims a free part for the owner; nothing if none is free. `parts` is the same in each call.
  [[nodiscard]] std::optional<unsigned> claim(const void* owner, unsigned parts);

  /// Reports that a claimed part has arrived, and where it lies.
  void arrived(unsigned part, array_on_gpu where);

  /// Waits until a part has arrived, for `patience` seconds at most. Nothing if no GPU has claimed it or the
  /// time is over: the caller then brings the part itself, so that a GPU that hangs stops no other GPU.
  [[nodiscard]] std::optional<array_on_gpu> find(unsigned part, std::chrono::duration<double> patience);

  /// Takes all claims back that the owner has made.
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
