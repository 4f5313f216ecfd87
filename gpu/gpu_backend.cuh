// Runs a task on a GPU: chunks travel to the device while an engine maps earlier chunks. A .cu file that
// includes this header, and engines of its choice (gpu/engines/), instantiates make_backends() for its task
// (gpu/make_backend.hpp).
#pragma once

#include "core/backend.hpp"
#include "core/error.hpp"
#include "gpu/device/device_start.hpp"
#include "gpu/device/executor_name.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/device_task.cuh"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/engine_choice.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/engines/make_engine.cuh"
#include "gpu/feed/feeder.cuh"
#include "gpu/feed/read_gate.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "gpu/record/chunk_padding.hpp"
#include "gpu/record/complete_chunk.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/device_clock.cuh"
#include "gpu/runtime/profiler_range.cuh"
#include "gpu/runtime/stream.cuh"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// Runs a task on one device. Only the thread of drive() calls the engine; the feeder's threads queue copies.
/// Everything on the device lives from the first chunk to the end of drive().
///
/// The backend can time out while a call into CUDA hangs, because no other thread needs the results of that
/// call. An engine's results become part of the partial only when commit() moves them. It moves them under
/// the mutex that abandon() takes. The hanging thread keeps device memory, page-locked buffers and this
/// object until its call returns, or until the process ends. A hanging thread does not delay the end of the
/// process: with driver 580, exit() and _exit() in the middle of a kernel of 15 s took no longer than
/// without.
template <map_reduce_task Task>
class gpu_backend final : public backend<Task> {
 public:
  /// `devices`: the number of GPUs in the run, which share the machine's cores.
  gpu_backend(const Task& task, int device_index, unsigned devices, const backend_options& options)
    : task_(task), device_index_(device_index), devices_(devices), options_(options) {
    const near_cores* const all = std::exchange(options_.cores_near, nullptr);
    if (all == nullptr || !all->contains(device_index)) return;
    near_cores_ = all->at(device_index);
    options_.feed.cores = near_cores_;
  }

  [[nodiscard]] std::string name() const override { return executor_name(device_index_); }

  [[nodiscard]] unsigned workers() const noexcept override { return 1; }

  /// The number of chunks that are being read, and three more that are being copied, mapped or finished.
  [[nodiscard]] unsigned depth() const noexcept override { return open_chunks; }

  /// Claims of 64 MiB: a copy of 64 MB runs at the link's full speed, a copy of 1 MB at 70 % of that speed.
  [[nodiscard]] executor_traits traits() const noexcept override {
    return {executor_kind::device, std::uint64_t{64} << 20};
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    const std::lock_guard held(mutex_);
    return notes_;
  }

  [[nodiscard]] engine_figures figures() const override {
    const std::lock_guard held(mutex_);
    return figures_;
  }

  /// @throws std::system_error if the system starts no thread
  void drive(const std::function<void(unsigned worker)>& body) override {
    // A thread of its own: to restore the caller's current device would make a context on that device.
    std::exception_ptr failure;
    std::thread([&] {
      {
        const std::lock_guard held(mutex_);
        if (abandoned_) return;
        at_work_ = true;
      }
      try {
        body(0);
        if (session_) note(session_->notes(name()), session_->runner->figures());
      } catch (...) {
        failure = std::current_exception();
      }
      session_.reset();
      const std::lock_guard held(mutex_);
      at_work_ = false;
      if (abandoned_) --state_of_gpu(device_index_).hanging;
    }).join();
    if (failure) std::rethrow_exception(failure);
  }

  /// The time of a context, a first kernel and the first page-locked buffers, measured on an H200 (decision
  /// 52). With a context a run of 1 KB takes 0.46 ms. A custom engine takes longer.
  [[nodiscard]] double start_seconds() const noexcept override {
    if (const double left = seconds_until_started(device_index_); left > 0) return left;
    return custom_task<Task> ? 2.3e-3 : 0.4e-3;
  }

  start_progress begin_start() override { return begin_to_start(device_index_); }

  void prepare(unsigned /*worker*/) override {
    if (session_) return;
    const profiler_range range("prepare");
    if (state_of_gpu(device_index_).hanging > 0)
      throw device_lost(name() + " has not answered since it timed out in an earlier run of this process");
    use_gpu(device_index_);
    keep_released_device_memory();
    state_of_gpu(device_index_).has_context = true;
    // Making the context may have hung, and then the task's arrays may no longer exist.
    require_not_abandoned();
    session_.emplace(task_, devices_, options_, choice_.kind, handed_over_, gate_);
    note({name() + ": " + std::string(duomap::name(choice_.kind)) + " engine, " + choice_.reason}, {});
  }

  void submit(unsigned worker, const chunk& part) override {
    prepare(worker);
    const profiler_range range("submit");
    session_->submit(part);
  }

  chunk_report finish(unsigned /*worker*/) override {
    const profiler_range range("finish");
    return or_close_gate([&] { return session_->finish(); });
  }

  bool take_back(unsigned /*worker*/) override { return session_->take_back(); }

  void commit(unsigned /*worker*/) override {
    const profiler_range range("commit");
    if (session_) or_close_gate([&] { session_->runner->commit(); });
    const std::lock_guard held(mutex_);
    if (abandoned_) throw device_lost(name() + " timed out before it had committed");
    std::move(handed_over_.begin(), handed_over_.end(), std::back_inserter(committed_));
    handed_over_.clear();
    ++commits_;
  }

  [[nodiscard]] bool can_be_abandoned() const noexcept override { return true; }

  std::uint64_t abandon() override {
    gate_.close();
    const std::lock_guard held(mutex_);
    abandoned_ = true;
    // Counts the thread of drive() as hanging, unless it has ended because its call has returned meanwhile.
    if (at_work_) ++state_of_gpu(device_index_).hanging;
    return commits_;
  }

  [[nodiscard]] std::vector<partial_for<Task>> release_partials(worker_pool& pool) override {
    // Results that the engine handed over since the last commit are left out: if the device was lost, another
    // executor repeats that work.
    host_partials<Task> all;
    {
      const std::lock_guard held(mutex_);
      all = std::exchange(committed_, {});
    }
    std::vector<partial_for<Task>> parts;
    for (const auto& part : all) parts.push_back(part->release_partial(pool));
    return parts;
  }

 private:
  // With only one chunk being read, the threads that read it wait for its last piece: with chunks of 64 MB,
  // 42 instead of 55 GB/s arrived on an H200.
  static constexpr unsigned chunks_being_read = 3;
  static constexpr unsigned open_chunks = chunks_being_read + 3;

  // Everything on the device. C++ destroys it from the last member to the first.
  struct session {
    session(const Task& task, unsigned devices, const backend_options& options, engine_kind kind,
            host_partials<Task>& handed_over, read_gate& gate)
      : task_(task),
        resident(task, compute),
        feed(copies, devices, options.feed, gate),
        runner(
            make_engine(resident.get(), kind, options, {compute, copies, feed, gate, devices}, handed_over)),
        times_(compute) {}

    /// Begins to bring a chunk to the device, and then queues map and reduce of an earlier chunk, which has
    /// been read meanwhile.
    void submit(const chunk& part) {
      slot& mine = slots_[submitted_ % open_chunks];
      mine.part = part;
      mine.copy_begins.record(copies);
      if (part.data != nullptr) {
        const std::uint64_t needed = part.size + chunk_padding<typename Task::format>::bytes;
        if (mine.bytes.size() < needed) {
          // Buffers have spare room, because the sizes of chunks differ by a record.
          constexpr std::uint64_t step = std::uint64_t{1} << 20;
          mine.bytes = {};
          mine.bytes = device_buffer((needed + step / 8 + step - 1) / step * step, copies);
        }
        char* const data = mine.bytes.template as<char>();
        if (part.size > 0) mine.on_its_way = feed.start(part.data, part.size, data);
        mine.part.data = data;
      }
      // If no thread carries the chunk, the event comes right behind its copy, before later chunks' copies.
      mine.direct = !mine.on_its_way;
      if (mine.direct) mine.copied.record(copies);
      ++submitted_;
      while (enqueued_ + chunks_being_read < submitted_) enqueue_next();
    }

    chunk_report finish() {
      while (enqueued_ <= finished_) enqueue_next();
      slot& oldest = slots_[finished_++ % open_chunks];
      if (oldest.failure) std::rethrow_exception(std::exchange(oldest.failure, nullptr));
      // If no threads feed this device, the thread that drives it has a core to itself
      // (gpu/feed/feed_policy.hpp).
      if (oldest.direct) oldest.mapped.watch();
      runner->finish_oldest();
      oldest.mapped.wait();
      resident.check_stop();
      const double copy_ended = times_.at(oldest.copied);
      const double copy_seconds =
          std::min(oldest.copied.seconds_since(oldest.copy_begins), copy_ended - last_copy_ended_);
      last_copy_ended_ = copy_ended;
      return {.units = oldest.part.size,
              .copy_seconds = copy_seconds,
              .compute_seconds = oldest.mapped.seconds_since(oldest.map_begins),
              .copy_ended = copy_ended,
              .compute_ended = times_.at(oldest.mapped)};
    }

    /// Takes the newest chunk back if the engine has none of it, and returns whether it took the chunk back.
    /// Copies under way go on; the device passes them before the next chunk is copied to the same place.
    bool take_back() {
      if (enqueued_ == submitted_) return false;
      slot& newest = slots_[(submitted_ - 1) % open_chunks];
      if (newest.on_its_way) feed.drop(std::exchange(newest.on_its_way, nullptr));
      --submitted_;
      return true;
    }

    [[nodiscard]] std::vector<std::string> notes(const std::string& device) const {
      std::vector<std::string> all = feed.notes(device);
      for (const std::string& one : runner->notes()) all.push_back(device + ": " + one);
      return all;
    }

    /// Queues map and reduce of the oldest chunk that the engine does not have. A failure belongs to that
    /// chunk, and finish() throws it.
    void enqueue_next() {
      slot& next = slots_[enqueued_++ % open_chunks];
      try {
        if (next.on_its_way) {
          const profiler_range range("wait for input");
          feed.wait(std::exchange(next.on_its_way, nullptr));
          next.copied.record(copies);
        }
        const profiler_range range("enqueue");
        next.copied.make_wait(compute);
        next.map_begins.record(compute);
        // The kernel is queued on the compute stream. On the copy stream it would wait for room beside the
        // other kernels, and delay the next copies.
        if (next.part.data != nullptr) {
          complete_chunk(task_, next.bytes.template as<char>(), next.part.size, compute);
        }
        runner->enqueue(next.part);
        resident.read_stop(compute);
        next.mapped.record(compute);
      } catch (...) {
        next.failure = std::current_exception();
      }
    }

    struct slot {
      device_buffer bytes;
      chunk part;  // the chunk, whose data points to device memory
      feeder::transfer on_its_way;
      bool direct = false;  // no staging thread carries any of the chunk
      std::exception_ptr failure;
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
    feeder feed;
    std::unique_ptr<engine> runner;
    device_clock times_;
    double last_copy_ended_ = 0;
    // The number of chunks submitted so far.
    std::uint64_t submitted_ = 0;
    std::uint64_t enqueued_ = 0;
    std::uint64_t finished_ = 0;
  };

  // Closes the gate after a failure: other executors repeat the uncommitted work, and this device must no
  // longer write to the places of their output.
  template <class Call>
  auto or_close_gate(const Call& call) {
    try {
      return call();
    } catch (...) {
      gate_.close();
      throw;
    }
  }

  void require_not_abandoned() const {
    const std::lock_guard held(mutex_);
    if (abandoned_) throw device_lost(name() + " timed out while it started");
  }

  // Ignores the notes of a device that has timed out: the thread that saw the timeout reports it.
  void note(std::vector<std::string> more, const engine_figures& done) {
    const std::lock_guard held(mutex_);
    if (abandoned_) return;
    std::move(more.begin(), more.end(), std::back_inserter(notes_));
    figures_ = done;
  }

  Task task_;
  int device_index_;
  unsigned devices_;
  std::vector<unsigned> near_cores_;
  backend_options options_;
  engine_choice choice_ = choose_engine<Task>(options_.engine);
  read_gate gate_;
  // Used by the thread of drive() only.
  std::optional<session> session_;
  host_partials<Task> handed_over_;  // results since the last commit

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  host_partials<Task> committed_;
  std::uint64_t commits_ = 0;
  bool abandoned_ = false;
  bool at_work_ = false;  // the thread of drive() has not ended
  std::vector<std::string> notes_;
  engine_figures figures_;
};

template <map_reduce_task Task>
[[gnu::used, gnu::noinline]] backends_of<Task>
this_program_lacks_a_cu_file_with_the_gpu_code_of<Task>::see_gpu_make_backend_hpp(
    const Task& task, const std::vector<int>& devices, const backend_options& options) {
  static_assert(
      has_code<Task> || code_is_optional<Task>,
      "the program does not say that it has this GPU code, and would not use it: expected, behind the "
      "task in its header, 'template <> inline constexpr bool duomap::gpu::has_code<TASK> = "
      "DUOMAP_HAS_CUDA;'");
  static_assert(can_run<Task>() || code_is_optional<Task>,
                "no GPU engine can run this task (gpu/engines/can_run.hpp); leave its GPU code out");
  backends_of<Task> all;
  if constexpr (can_run<Task>()) {
    if constexpr (detail::has_default_engine<Task>()) {
      for (const int device : devices) {
        all.push_back(std::make_unique<gpu_backend<Task>>(task, device, static_cast<unsigned>(devices.size()),
                                                          options));
      }
    }
  }
  return all;
}

template <map_reduce_task Task>
backends_of<Task> make_backends(const Task& task, const std::vector<int>& devices,
                                const backend_options& options) {
  return this_program_lacks_a_cu_file_with_the_gpu_code_of<Task>::see_gpu_make_backend_hpp(task, devices,
                                                                                           options);
}

}  // namespace duomap::gpu
