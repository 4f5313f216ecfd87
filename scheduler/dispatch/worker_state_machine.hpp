// Decides the steps of one worker.
#pragma once

#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace duomap::scheduler {

/// The next step of a worker.
struct step {
  enum class what {
    start,      ///< start the device, then call started()
    submit,     ///< submit `grains`, or the first part of them, then call submitted(), or refused()
    take_back,  ///< ask the device to forget its newest open chunk, then call took_back()
    finish,     ///< wait for the oldest open chunk, then call finished()
    commit,     ///< commit, then call committed()
    time_out,   ///< device `other` is overdue: see grain_dispatcher::time_out
    wait,       ///< do nothing until `until`, or until something has changed; wake waiting workers of `other`
    end,
  };
  what then = what::end;
  grain_range grains = {};
  double until = 0;
  std::optional<unsigned> other = std::nullopt;
};

/// One worker of a run as a state machine. It has no thread and no clock. Its caller carries out the step
/// that next() returns, tells the outcome and the time, and asks again. Only one thread uses it.
class worker_state_machine {
 public:
  worker_state_machine(grain_dispatcher& all, unsigned index, bool device)
    : all_(all), index_(index), device_(device) {}

  [[nodiscard]] step next(double now);

  void started(double now);
  /// Tells that `part`, the beginning of the last step's grains, was submitted. `began`: when that began.
  void submitted(grain_range part, double began);
  /// Tells that the caller is about to submit a block of a stream. Blocks have no grains.
  void submits_block(double now);
  /// Tells that the caller has submitted the block. `began`: the time when that began.
  void submitted_block(double began, double now);
  /// Tells that the caller is about to wait for the oldest open chunk.
  void finishes(double now);
  /// Tells that no record starts in `part`, so that there is nothing to submit.
  void empty(grain_range part, double now);
  /// Tells that the device had no memory for the last step's grains. False: it gets no more grains.
  bool refused();
  /// Tells whether the device has forgotten its newest open chunk.
  void took_back(bool yes);
  /// Tells that the oldest open chunk is done. False: the device is lost, so the chunk does not count.
  bool finished(double now);
  /// Tells that a commit has ended. False: the device is lost, so nothing since the last commit counts.
  bool committed(double now);

  /// For devices that are not started: tells that from now on the start takes `seconds`.
  void start_takes(double seconds, double now) {
    if (!started_) all_.start_takes(index_, seconds, now);
  }

  /// The seconds that the last finished chunk took.
  [[nodiscard]] double last_seconds() const noexcept { return last_seconds_; }

  [[nodiscard]] bool has_room() const noexcept { return open_.size() < all_.depth(index_); }
  /// Whether the worker has finished all grains that it has claimed.
  [[nodiscard]] bool is_idle() const noexcept { return rest_.empty() && open_.empty(); }
  /// Whether blocks of streams are open or not committed. Nobody can read such blocks again.
  [[nodiscard]] bool holds_blocks() const noexcept { return holds_blocks_; }

 private:
  struct open_chunk {
    grain_range grains;
    double began;
  };

  [[nodiscard]] bool commit_is_due(double now) const;
  [[nodiscard]] bool holds_uncommitted() const { return holds_blocks_ || all_.holds_uncommitted(index_); }
  [[nodiscard]] step commit_now(double now);
  [[nodiscard]] std::optional<unsigned> to_wake(const claim& waits, double now);
  [[nodiscard]] step wait_until(double until, std::optional<unsigned> other, double now) const;

  grain_dispatcher& all_;
  unsigned index_;
  bool device_;
  bool started_ = false;
  bool holds_blocks_ = false;
  bool in_ = false;               // for pools: the worker is not throttled
  bool committed_ = false;        // pools commit once, at their end
  grain_range rest_ = {};         // claimed, but not submitted
  std::vector<open_chunk> open_;  // few; empty for a worker that comes too late, which then needs no memory
  std::uint32_t end_ = 0;         // the end of the grains that were last submitted or found empty
  double wakes_again_ = 0;        // the worker wakes no other executor before this time
  double last_finish_ = 0;
  double last_seconds_ = 0;
  double last_commit_ = 0;  // the time when the last commit ended
  double commit_began_ = 0;
  double commit_seconds_ = 0;  // the seconds that the last commit took
};

}  // namespace duomap::scheduler
