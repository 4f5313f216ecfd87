// The GPU backend: chunks travel to a device while an engine maps the ones before. A .cu file that includes
// this instantiates make_backends() for its task (gpu/make_backend.hpp).
#pragma once

#include "core/backend.hpp"
#include "core/error.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device_task.cuh"
#include "gpu/feed/feeder.cuh"
#include "gpu/feed/page_locks.cuh"
#include "gpu/make_backend.hpp"
#include "gpu/make_engine.cuh"
#include "gpu/record/lower_case.cuh"
#include "gpu/record/record_tile.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <array>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// Runs a task on one device. The thread of drive() is the only one that speaks to it, and everything on the
/// device lives from the first chunk to the end of drive().
template <map_reduce_task Task>
class gpu_backend final : public backend<Task> {
  using tile = record_tile<typename Task::format>;

 public:
  /// `locks` is shared by the backends of a run.
  gpu_backend(const Task& task, int device_index, const backend_options& options,
              std::shared_ptr<page_locks> locks)
    : task_(task), device_index_(device_index), options_(options), locks_(std::move(locks)) {}

  [[nodiscard]] std::string name() const override {
    const std::string number = "gpu " + std::to_string(device_index_);
    for (const device_info& device : discover().devices) {
      if (device.index == device_index_) return number + " (" + device.name + ")";
    }
    return number;
  }

  [[nodiscard]] unsigned workers() const noexcept override { return 1; }

  /// One chunk on its way, one being mapped, one being finished.
  [[nodiscard]] unsigned depth() const noexcept override { return open_chunks; }

  /// At 1 MB a copy runs at 70 % of the link's speed, at 64 MB at all of it.
  [[nodiscard]] std::uint64_t claim_bytes() const noexcept override { return std::uint64_t{64} << 20; }

  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

  void drive(const std::function<void(unsigned worker)>& body) override {
    // A thread of its own, because a thread's current device cannot be put back without making a context on
    // it.
    std::exception_ptr failure;
    std::thread([&] {
      try {
        body(0);
        if (session_) {
          notes_ = session_->feed.notes(name());
          for (const std::string& note : session_->runner->notes()) notes_.push_back(name() + ": " + note);
        }
      } catch (...) {
        failure = std::current_exception();
      }
      session_.reset();
      locks_.reset();  // the last backend unlocks the input's pages, while it is still mapped
    }).join();
    if (failure) std::rethrow_exception(failure);
  }

  void submit(unsigned /*worker*/, const chunk& part) override {
    if (!session_) {
      check(cudaSetDevice(device_index_), [&] { return "using GPU " + std::to_string(device_index_); });
      session_.emplace(task_, options_, locks_, handed_over_);
    }
    session_->submit(part);
  }

  chunk_report finish(unsigned /*worker*/) override { return session_->finish(); }

  void commit(unsigned /*worker*/) override {
    if (session_) session_->runner->commit();
  }

  [[nodiscard]] partial_for<Task> take_partial(parallel& pool) override {
    std::vector<partial_for<Task>> parts;
    for (const auto& part : handed_over_) parts.push_back(part->take_partial(pool));
    handed_over_.clear();
    if (parts.empty()) return empty_partial(task_);
    return merge_partials(std::move(parts), task_, pool);
  }

 private:
  static constexpr unsigned open_chunks = 3;

  // Everything on the device, destroyed from the last member to the first.
  struct session {
    session(const Task& task, const backend_options& options, std::shared_ptr<page_locks> locks,
            host_parts<Task>& handed_over)
      : task_(task),
        resident(task, compute),
        runner(make_engine(resident.get(), options, compute, handed_over)),
        feed(std::move(locks), copies) {}

    void submit(const chunk& part) {
      slot& mine = slots_[submitted_ % open_chunks];
      chunk on_device = part;
      mine.units = part.size;
      if (part.data != nullptr) {
        const std::uint64_t needed = part.size + tile::padding_bytes;
        if (mine.bytes.size() < needed) {
          // Some room to spare, since chunks of one size differ by a record.
          constexpr std::uint64_t step = std::uint64_t{1} << 20;
          mine.bytes = {};
          mine.bytes = device_buffer((needed + step / 8 + step - 1) / step * step, copies);
        }
        char* const data = mine.bytes.template as<char>();
        mine.copy_begins.record(copies);
        check(cudaMemsetAsync(data + part.size, tile::padding, tile::padding_bytes, copies.get()),
              "writing the padding of a chunk");
        feed.copy(part.data, part.size, data);
        mine.copied.record(copies);
        mine.copied.hold_back(compute);
        on_device.data = data;
      } else {
        mine.copy_begins.record(copies);
        mine.copied.record(copies);
      }
      mine.map_begins.record(compute);
      if constexpr (std::same_as<typename Task::format, words>) {
        if (format_of(task_).lower_case) lower_case(mine.bytes.template as<char>(), part.size, compute);
      }
      runner->enqueue(on_device);
      mine.mapped.record(compute);
      ++submitted_;
    }

    chunk_report finish() {
      slot& oldest = slots_[finished_ % open_chunks];
      runner->finish_oldest();
      ++finished_;
      oldest.mapped.wait();
      return {.units = oldest.units,
              .copy_seconds = oldest.copied.seconds_since(oldest.copy_begins),
              .compute_seconds = oldest.mapped.seconds_since(oldest.map_begins)};
    }

    struct slot {
      device_buffer bytes;
      std::uint64_t units = 0;
      event copy_begins;
      event copied;
      event map_begins;
      event mapped;
    };

    const Task& task_;
    stream copies;
    stream compute;
    std::array<slot, open_chunks> slots_;
    device_task<Task> resident;
    std::unique_ptr<engine> runner;
    feeder feed;
    std::uint64_t submitted_ = 0;
    std::uint64_t finished_ = 0;
  };

  Task task_;
  int device_index_;
  backend_options options_;
  std::shared_ptr<page_locks> locks_;
  std::optional<session> session_;
  std::vector<std::string> notes_;
  host_parts<Task> handed_over_;
};

template <map_reduce_task Task>
backends_of<Task> make_backends(const Task& task, const std::vector<int>& devices,
                                const backend_options& options) {
  static_assert(can_run<Task>(), "no GPU engine can run this task (gpu/can_run.hpp); leave its GPU code out");
  backends_of<Task> all;
  if (devices.empty()) return all;
  const auto locks = std::make_shared<page_locks>(devices.front(), options.locked_bytes);
  for (const int device : devices)
    all.push_back(std::make_unique<gpu_backend<Task>>(task, device, options, locks));
  return all;
}

namespace impl {

/// Runs a task over resident bytes; calls use(engine) and then take(host parts) at the end.
template <map_reduce_task Task>
void run_resident(const Task& task, int device, byte_view bytes, unsigned runs, const backend_options& options,
                  std::vector<double>& seconds,
                  const std::function<void(engine& runner, host_parts<Task>& host)>& at_the_end) {
  using tile = record_tile<typename Task::format>;
  std::exception_ptr failure;
  std::thread([&] {
    try {
      check(cudaSetDevice(device), [&] { return "using GPU " + std::to_string(device); });
      const stream on;
      host_parts<Task> host;
      const device_buffer data(bytes.size + tile::padding_bytes, on);
      check(cudaMemsetAsync(data.as<char>() + bytes.size, tile::padding, tile::padding_bytes, on.get()),
            "padding");
      check(cudaMemcpyAsync(data.as<char>(), bytes.data, bytes.size, cudaMemcpyHostToDevice, on.get()),
            "copying resident bytes");
      const device_task<Task> resident(task, on);
      const auto runner = make_engine(resident.get(), options, on, host);
      event started;
      event end;
      for (unsigned run = 0; run < runs; ++run) {
        runner->forget();
        on.wait();
        started.record(on);
        runner->enqueue({data.as<char>(), bytes.size, 0, 0});
        end.record(on);
        while (!end.has_passed()) {
          // A thread that sleeps would be measured too: it takes tens of microseconds to wake up.
        }
        runner->finish_oldest();
        end.record(on);
        end.wait();
        seconds.push_back(end.seconds_since(started));
      }
      at_the_end(*runner, host);
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace impl

template <map_reduce_task Task>
std::vector<double> time_resident(const Task& task, int device, byte_view text, unsigned runs,
                                  const backend_options& options) {
  std::vector<double> seconds;
  impl::run_resident<Task>(task, device, text, runs, options, seconds, [](engine&, host_parts<Task>&) {});
  return seconds;
}

template <map_reduce_task Task>
resident_run<Task> run_resident(const Task& task, int device, byte_view bytes, unsigned runs,
                                const backend_options& options, parallel& pool) {
  resident_run<Task> all;
  impl::run_resident<Task>(task, device, bytes, runs, options, all.seconds,
                           [&](engine& runner, host_parts<Task>& host) {
                             runner.commit();
                             all.notes = runner.notes();
                             std::vector<partial_for<Task>> parts;
                             for (const auto& part : host) parts.push_back(part->take_partial(pool));
                             all.found = parts.empty() ? empty_partial(task)
                                                       : merge_partials(std::move(parts), task, pool);
                           });
  return all;
}

}  // namespace duomap::gpu
