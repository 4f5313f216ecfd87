#include "core/error.hpp"
#include "core/own_thread.hpp"
#include "gpu/calibrate/measure_gpu.hpp"
#include "gpu/feed/stay_on.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/graph.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/release.cuh"
#include "gpu/runtime/stream.cuh"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace duomap::gpu {
namespace {

using clock = std::chrono::steady_clock;

// The launches of one sample. The device's queue has room for about a thousand, so no launch waits.
constexpr unsigned launches = 200;
constexpr unsigned waits = 50;
// Kernels in the longer of two graphs. The graphs' difference in time is the cost of the extra kernels.
constexpr unsigned graph_nodes = 129;
// The size of a chunk, used to measure copies beside busy cores, page-locking and allocation.
constexpr std::uint64_t chunk_bytes = std::uint64_t{64} << 20;
// Copies beside busy cores take at least this time, so that the cores read many blocks meanwhile.
constexpr double busy_seconds = 0.1;

__global__ void do_nothing() {}

template <class Action>
double seconds_of(const Action& action) {
  const auto begin = clock::now();
  action();
  return std::chrono::duration<double>(clock::now() - begin).count();
}

/// Page-locked memory that the driver makes and frees each time. A block that the process has kept
/// (gpu/runtime/pinned_memory.cuh) would hide the cost of making one.
class locked_memory {
 public:
  explicit locked_memory(std::uint64_t bytes) {
    check(cudaHostAlloc(&data_, bytes, cudaHostAllocDefault),
          [&] { return "allocating " + std::to_string(bytes) + " bytes of page-locked memory to measure"; });
  }
  locked_memory(const locked_memory&) = delete;
  locked_memory& operator=(const locked_memory&) = delete;
  ~locked_memory() { check_release(cudaFreeHost(data_), "releasing page-locked memory"); }

  [[nodiscard]] char* get() const { return static_cast<char*>(data_); }

 private:
  void* data_ = nullptr;
};

/// Keeps memory page-locked as long as this object lives.
class lock {
 public:
  lock(char* data, std::uint64_t bytes) : data_(data) {
    check(cudaHostRegister(data, bytes, cudaHostRegisterDefault),
          [&] { return "page-locking " + std::to_string(bytes) + " bytes to measure"; });
  }
  lock(const lock&) = delete;
  lock& operator=(const lock&) = delete;
  ~lock() { check_release(cudaHostUnregister(data_), "unlocking memory"); }

 private:
  char* data_;
};

/// Fills memory with a different value in each word, so that a copy that omits or shifts bytes is found.
void fill(char* data, std::uint64_t bytes) {
  for (std::uint64_t i = 0; i + 8 <= bytes; i += 8) {
    const std::uint64_t word = i * 0x9E3779B97F4A7C15u + 1;
    std::memcpy(data + i, &word, sizeof word);
  }
}

class measurement {
 public:
  measurement(const gpu_measuring& how, std::vector<machine_figure>& into) : how_(how), figures_(into) {}

  void launches_and_graphs() {
    const stream on;
    const auto one = [&] {
      launch(do_nothing, {1, 1, 0, on.get()});
    };
    one();  // the first launch loads the kernel's code
    on.wait();
    sample(machine_property::launch, 0, [&] {
      const double seconds = seconds_of([&] {
        for (unsigned i = 0; i < launches; ++i) one();
      });
      on.wait();
      return seconds / launches;
    });
    sample(machine_property::launch_and_wait, 0, [&] {
      return seconds_of([&] {
               for (unsigned i = 0; i < waits; ++i) {
                 one();
                 on.wait();
               }
             }) /
             waits;
    });
    const graph shortest(on, one);
    const graph longer(on, [&] {
      for (unsigned i = 0; i < graph_nodes; ++i) one();
    });
    const auto run_and_wait = [&](const graph& all) {
      return seconds_of([&] {
               for (unsigned i = 0; i < waits; ++i) {
                 all.run(on);
                 on.wait();
               }
             }) /
             waits;
    };
    run_and_wait(shortest);
    run_and_wait(longer);
    double shortest_seconds = 0;
    sample(machine_property::graph_and_wait, 0, [&] { return shortest_seconds = run_and_wait(shortest); });
    sample(machine_property::graph_node, 0,
           [&] { return std::max(run_and_wait(longer) - shortest_seconds, 0.0) / (graph_nodes - 1); });
  }

  void locking() {
    const auto data = std::make_unique_for_overwrite<char[]>(chunk_bytes);
    fill(data.get(), chunk_bytes);
    sample(machine_property::lock_memory, 0, [&] {
      std::unique_ptr<lock> held;
      return seconds_of([&] { held = std::make_unique<lock>(data.get(), chunk_bytes); }) / chunk_bytes;
    });
    sample(machine_property::allocate_locked, 0, [&] {
      std::unique_ptr<locked_memory> held;
      return seconds_of([&] { held = std::make_unique<locked_memory>(chunk_bytes); }) / chunk_bytes;
    });
  }

  void copies() {
    const std::vector<std::uint64_t> sizes = sizes_that_fit();
    if (sizes.empty()) return;
    const std::uint64_t most = *std::max_element(sizes.begin(), sizes.end());
    const stream on;
    const stream back;
    const device_buffer arrived(most, on);
    const device_buffer leaving(most, on);
    const locked_memory locked(most);
    const locked_memory locked_back(most);
    const auto ordinary = std::make_unique_for_overwrite<char[]>(most);
    const auto ordinary_back = std::make_unique_for_overwrite<char[]>(most);
    fill(locked.get(), most);
    fill(ordinary.get(), most);
    std::memset(locked_back.get(), 0xA5, most);
    std::memset(ordinary_back.get(), 0xA5, most);
    on.wait();

    const auto rates = [&](machine_property term, char* device, char* host, bool to_device) {
      for (const std::uint64_t bytes : sizes) {
        // The first copy of each size is slower, so it is not measured.
        copy(on, device, host, bytes, to_device);
        sample(term, bytes, [&] {
          return static_cast<double>(bytes) / seconds_of([&] { copy(on, device, host, bytes, to_device); });
        });
      }
    };
    rates(machine_property::to_device_locked, arrived.as<char>(), locked.get(), true);
    rates(machine_property::from_device_locked, arrived.as<char>(), locked_back.get(), false);
    require_equal(locked.get(), locked_back.get(), most);
    rates(machine_property::to_device_pageable, leaving.as<char>(), ordinary.get(), true);
    rates(machine_property::from_device_pageable, leaving.as<char>(), ordinary_back.get(), false);
    require_equal(ordinary.get(), ordinary_back.get(), most);

    sample(machine_property::both_directions, most, [&] {
      const double seconds = seconds_of([&] {
        queue(on, arrived.as<char>(), locked.get(), most, true);
        queue(back, leaving.as<char>(), locked_back.get(), most, false);
        on.wait();
        back.wait();
      });
      return 2 * static_cast<double>(most) / seconds;
    });
    if (how_.while_cores_read) beside_busy_cores(on, arrived.as<char>(), locked.get(), most);
  }

  void nodes() {
    if (how_.nodes.size() < 2) return;
    for (const host_node& node : how_.nodes) {
      int device = 0;
      check(cudaGetDevice(&device), "asking for the current device");
      on_own_thread("for a NUMA node", [&] {
        stay_on(node.cpus);
        use_gpu(device);
        const stream on;
        const device_buffer arrived(chunk_bytes, on);
        // Puts the memory on this node: the system allocates memory near the thread that touches it first.
        const auto data = std::make_unique_for_overwrite<char[]>(chunk_bytes);
        fill(data.get(), chunk_bytes);
        const lock held(data.get(), chunk_bytes);
        copy(on, arrived.as<char>(), data.get(), chunk_bytes, true);
        sample(machine_property::to_device_from_node, node.id, [&] {
          return chunk_bytes /
                 seconds_of([&] { copy(on, arrived.as<char>(), data.get(), chunk_bytes, true); });
        });
      });
    }
  }

 private:
  template <class Sample>
  void sample(machine_property term, std::uint64_t at, const Sample& take) {
    std::vector<double> samples;
    for (unsigned i = 0; i < how_.samples; ++i) samples.push_back(take());
    figures_.push_back(figure_of(term, at, std::move(samples)));
  }

  static void queue(const stream& on, char* device, char* host, std::uint64_t bytes, bool to_device) {
    check(to_device ? cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, on.get())
                    : cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, on.get()),
          [&] { return "copying " + std::to_string(bytes) + " bytes to measure"; });
  }

  static void copy(const stream& on, char* device, char* host, std::uint64_t bytes, bool to_device) {
    queue(on, device, host, bytes, to_device);
    on.wait();
  }

  static void require_equal(const char* sent, const char* came_back, std::uint64_t bytes) {
    if (std::memcmp(sent, came_back, bytes) == 0) return;
    throw error(exit_status::failed, std::to_string(bytes) +
                                         " bytes came back from the GPU changed: host, link or GPU is "
                                         "defective; see `nvidia-smi -q -d ECC` and the kernel's log");
  }

  void beside_busy_cores(const stream& on, char* device, char* host, std::uint64_t most) {
    const std::uint64_t bytes = std::min(most, chunk_bytes);
    std::vector<double> samples;
    const double read = how_.while_cores_read([&] {
      const auto begin = clock::now();
      do {
        samples.push_back(static_cast<double>(bytes) /
                          seconds_of([&] { copy(on, device, host, bytes, true); }));
      } while (samples.size() < how_.samples ||
               std::chrono::duration<double>(clock::now() - begin).count() < busy_seconds);
    });
    figures_.push_back(figure_of(machine_property::to_device_busy, bytes, std::move(samples)));
    figures_.push_back(figure_of(machine_property::read_while_copying, how_.reading_cores, {read}));
  }

  [[nodiscard]] std::vector<std::uint64_t> sizes_that_fit() const {
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for the device's free memory");
    std::vector<std::uint64_t> sizes;
    for (const std::uint64_t bytes : how_.sizes) {
      if (bytes > 0 && bytes <= free_bytes / 8) sizes.push_back(bytes);
    }
    return sizes;
  }

  const gpu_measuring& how_;
  std::vector<machine_figure>& figures_;
};

}  // namespace

std::vector<machine_figure> measure_gpu(int device_index, const gpu_measuring& how) {
  expects(how.samples > 0, "measuring takes a sample at least");
  std::vector<machine_figure> figures;
  // On a thread of its own, because the caller's current device must not change.
  on_own_thread("to measure GPU " + std::to_string(device_index), [&] {
    const double start = seconds_of([&] {
      use_gpu(device_index);
      check(cudaFree(nullptr), [&] { return "making a context on GPU " + std::to_string(device_index); });
    });
    figures.push_back(figure_of(machine_property::context_start, 0, {start}));
    measurement all(how, figures);
    all.launches_and_graphs();
    all.locking();
    all.copies();
    all.nodes();
  });
  return figures;
}

}  // namespace duomap::gpu
