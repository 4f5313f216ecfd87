#include "core/input/mapping_reader.hpp"
#include "gpu/feed/device_memory.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/feed/feeder.cuh"
#include "gpu/feed/locked_ranges.hpp"
#include "gpu/feed/read_gate.hpp"
#include "gpu/feed/staging.hpp"
#include "gpu/feed/stay_on.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstring>
#include <mutex>
#include <utility>

namespace duomap::gpu {
namespace {

void queue_copy(const char* from, std::uint64_t bytes, char* to, const stream& on,
                cudaMemcpyKind way = cudaMemcpyHostToDevice) {
  check(cudaMemcpyAsync(to, from, bytes, way, on.get()),
        [&] { return "copying " + std::to_string(bytes) + " bytes of input to the device"; });
}

}  // namespace

/// A page-locked buffer. If the driver refuses to lock memory, the buffer is ordinary memory, which the
/// driver copies through a buffer of its own.
class feeder::buffer final : public staging_buffer {
 public:
  buffer(std::unique_ptr<pinned_buffer> locked, std::unique_ptr<char[]> ordinary, const stream& on)
    : locked_(std::move(locked)), ordinary_(std::move(ordinary)), on_(on) {}

  char* data() noexcept override { return locked_ ? locked_->as<char>() : ordinary_.get(); }

  void send(std::uint64_t bytes, char* to) override {
    queue_copy(data(), bytes, to, on_);
    read_.record(on_);
  }

  void wait() override { read_.wait(); }

 private:
  std::unique_ptr<pinned_buffer> locked_;
  std::unique_ptr<char[]> ordinary_;
  const stream& on_;
  event read_;
};

/// The device, as the staging threads see it.
class feeder::copies final : public staging_target {
 public:
  copies(const stream& on, const feed_options& options);
  void enter_thread() override;
  std::unique_ptr<staging_buffer> make_buffer(std::uint64_t bytes) override;
  [[nodiscard]] std::string refusal() const;

 private:
  const stream& on_;
  std::vector<unsigned> cores_;
  bool refuse_locked_;
  int device_ = 0;
  mutable std::mutex mutex_;
  std::string refusal_;  // guarded by mutex_
};

feeder::copies::copies(const stream& on, const feed_options& options)
  : on_(on), cores_(options.cores.begin(), options.cores.end()), refuse_locked_(options.refuse_locked) {
  check(cudaGetDevice(&device_), "asking for the current device");
}

void feeder::copies::enter_thread() {
  stay_on(cores_);  // first, because make_buffer() places each buffer near the thread that touches it first
  use_gpu(device_);
}

std::unique_ptr<staging_buffer> feeder::copies::make_buffer(std::uint64_t bytes) {
  std::unique_ptr<pinned_buffer> locked;
  std::unique_ptr<char[]> ordinary;
  try {
    if (refuse_locked_) throw out_of_memory("page-locked memory is refused by the options");
    locked = std::make_unique<pinned_buffer>(bytes);
  } catch (const device_lost&) {
    throw;
  } catch (const error& why) {
    const std::lock_guard held(mutex_);
    refusal_ = why.what();
    ordinary = std::make_unique_for_overwrite<char[]>(bytes);
  }
  return std::make_unique<buffer>(std::move(locked), std::move(ordinary), on_);
}

std::string feeder::copies::refusal() const {
  const std::lock_guard held(mutex_);
  return refusal_;
}

/// The objects that carry a chunk. C++ destroys them from the last member to the first.
struct feeder::carriers {
  carriers(const stream& on, unsigned devices, const feed_options& options)
    : target(on, options),
      threads(target,
              options.threads > 0 ? options.threads : expected_staging_threads(usable_cores(), devices),
              {.piece_bytes = options.piece_bytes > 0 ? options.piece_bytes : staging_sizes{}.piece_bytes}) {}

  copies target;
  staging threads;
  std::shared_ptr<const mapping_reader> reader;  // reads the file of the last chunk's mapping
  std::uint64_t on_device = 0;                   // the number of transfers from device memory
  std::uint64_t on_device_bytes = 0;
  std::uint64_t from_host = 0;  // the number of transfers from host memory
};

feeder::feeder(const stream& on, unsigned devices, const feed_options& options, read_gate& gate)
  : on_(on), gate_(gate), carriers_(std::make_unique<carriers>(on, devices, options)) {}

feeder::~feeder() {
  if (const auto needed = carriers_->threads.threads_needed()) remember_staging_threads(*needed);
}

feeder::transfer feeder::start(const char* from, std::uint64_t bytes, char* to) {
  auto& reader = carriers_->reader;
  const bool in_file = reader && reader->covers(from);
  if (!in_file && gpu_of(from)) {
    ++carriers_->on_device;
    carriers_->on_device_bytes += bytes;
    gate_.pass([&] { queue_copy(from, bytes, to, on_, cudaMemcpyDeviceToDevice); });
    return nullptr;
  }
  ++carriers_->from_host;
  if (locked_ranges::of_this_process().hold({from, bytes})) {
    gate_.pass([&] { queue_copy(from, bytes, to, on_); });
    return nullptr;
  }
  if (!in_file) reader = mapping_reader::open(find_mapping(from));
  return carriers_->threads.start(from, bytes, to,
                                  [file = reader, this](const char* begin, std::uint64_t size, char* into) {
                                    gate_.pass([&] {
                                      if (file) {
                                        file->read(begin, size, into);
                                      } else {
                                        std::memcpy(into, begin, size);
                                      }
                                    });
                                  });
}

void feeder::wait(const transfer& one) {
  if (one) carriers_->threads.wait(*one);
}

void feeder::drop(const transfer& one) {
  if (one) carriers_->threads.drop(*one);
}

std::vector<std::string> feeder::notes(const std::string& device) const {
  std::vector<std::string> all;
  if (carriers_->on_device > 0) {
    all.push_back(device + ": " + std::to_string(carriers_->on_device_bytes) +
                  " bytes of input lay in a GPU's memory; copies from the host: " +
                  std::to_string(carriers_->from_host));
  }
  const std::string refusal = carriers_->target.refusal();
  if (!refusal.empty()) {
    all.push_back(device +
                  ": input was copied from ordinary memory, at a fraction of the link's speed: " + refusal);
  }
  return all;
}

}  // namespace duomap::gpu
