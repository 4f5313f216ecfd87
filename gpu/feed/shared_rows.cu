#include "gpu/device/device.hpp"
#include "gpu/device/driver_query.hpp"
#include "gpu/feed/read_gate.hpp"
#include "gpu/feed/shared_parts.hpp"
#include "gpu/feed/shared_rows.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/release.cuh"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace duomap::gpu {
namespace {

// Without NVLink, a copy from another GPU takes the PCIe link that the host's copy comes over.
bool is_linked(int device, int other) {
  return device == other || query_peer(device, other) == peer_link::with_atomics;
}

bool is_linked_to_all(int device) {
  return std::ranges::all_of(discover().devices,
                             [&](const device_info& one) { return is_linked(device, one.index); });
}

// Lets `device` read and write memory from the memory pool of `other`.
bool may_access(int device, int other) {
  cudaMemPool_t pool = nullptr;
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.location.id = device;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  const bool may = cudaDeviceGetDefaultMemPool(&pool, other) == cudaSuccess &&
                   cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return may;
}

// Both directions are allowed at first, because the driver chooses the GPU that carries a copy.
bool may_access_each_other(int device, int other) {
  if (device == other) return true;
  static std::mutex mutex;
  static std::set<std::pair<int, int>> pairs;  // guarded by mutex: the pairs that may access each other
  const std::pair pair(std::min(device, other), std::max(device, other));
  const std::lock_guard held(mutex);
  if (pairs.contains(pair)) return true;
  const bool may = may_access(device, other) && may_access(other, device);
  if (may) pairs.insert(pair);
  return may;
}

}  // namespace

shared_rows::shared_rows(const row_source& from, const std::shared_ptr<shared_parts>* parts,
                         const engine_surroundings& with)
  : from_(from), with_(with), memory_(std::make_shared<memory>(from.rows * from.row_bytes)) {
  check(cudaGetDevice(&device_), "asking for the current device");
  if (parts != nullptr && with.devices > 1 && is_linked_to_all(device_)) {
    // The read passes the gate, because a device that has timed out may come here when the caller's array no
    // longer exists.
    with_.gate.pass([&] { parts_ = *parts; });
    count_ = with.devices;
  }
  // The copies wait until the stream-ordered allocation of `memory_` is done.
  ready_.record(memory_->on);
  ready_.make_wait(with_.copies);
  if (!parts_) {
    bring(0);
  } else if (const auto part = parts_->claim(this, count_)) {
    mine_.push_back(*part);
    bring(*part);
  }
}

shared_rows::~shared_rows() {
  // If no chunk came, nobody has called wait(), and copies may still write to memory that is released now.
  for (const feeder::transfer& one : on_their_way_) with_.feed.drop(one);
  check_release(cudaStreamSynchronize(with_.copies.get()), "waiting for copies at an engine's end");
  check_release(cudaStreamSynchronize(with_.compute.get()), "waiting for kernels at an engine's end");
  if (parts_) parts_->withdraw(this);
}

void shared_rows::bring(unsigned part) {
  const std::uint64_t end = first_row(part + 1);
  const bool dense = from_.stride == from_.row_bytes;
  for (std::uint64_t row = first_row(part); row < end;) {
    const std::uint64_t next = dense ? end : row + 1;
    on_their_way_.push_back(with_.feed.start(from_.data + row * from_.stride, (next - row) * from_.row_bytes,
                                             memory_->bytes.as<char>() + row * from_.row_bytes));
    row = next;
  }
}

void shared_rows::wait() {
  if (complete_) return;
  wait_for_mine();
  const std::chrono::duration<double> of_mine = std::chrono::steady_clock::now() - begin_;
  while (parts_) {
    const auto part = parts_->claim(this, count_);
    if (!part) break;
    mine_.push_back(*part);
    bring(*part);
    wait_for_mine();
  }
  for (unsigned part = 0; parts_ && part < count_; ++part) {
    if (std::ranges::find(mine_, part) != mine_.end()) continue;
    if (!copy_from_another(part, of_mine)) bring(part);
  }
  for (const feeder::transfer& one : on_their_way_) with_.feed.wait(one);
  on_their_way_.clear();
  ready_.record(with_.copies);
  ready_.make_wait(with_.compute);
  complete_ = true;
}

// Waits on the host for this GPU's part, and then reports it: the other GPUs must not wait on a stream of
// this GPU, which may hang.
void shared_rows::wait_for_mine() {
  for (const feeder::transfer& one : on_their_way_) with_.feed.wait(one);
  on_their_way_.clear();
  if (!parts_) return;
  ready_.record(with_.copies);
  ready_.wait();
  if (!mine_.empty()) parts_->arrived(mine_.back(), {device_, {memory_, memory_->bytes.as<const char>()}});
}

// Returns false if the copy failed; the caller then brings the part from the host. If this GPU is lost,
// bringing the part throws.
bool shared_rows::copy_from_another(unsigned part, std::chrono::duration<double> patience) {
  const std::optional<array_on_gpu> from = parts_->find(part, patience);
  if (!from || !is_linked(device_, from->device) || !may_access_each_other(device_, from->device))
    return false;
  const std::uint64_t begin = first_row(part) * from_.row_bytes;
  const std::uint64_t bytes = first_row(part + 1) * from_.row_bytes - begin;
  const bool copied =
      cudaMemcpyPeerAsync(memory_->bytes.as<char>() + begin, device_, from->bytes.get() + begin, from->device,
                          bytes, memory_->on.get()) == cudaSuccess &&
      cudaStreamSynchronize(memory_->on.get()) == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  return copied;
}

}  // namespace duomap::gpu
