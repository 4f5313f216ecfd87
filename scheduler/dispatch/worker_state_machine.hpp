// What one worker of an executor does, step by step: the loop of every worker, without the waiting.
#pragma once

#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"
#include "scheduler/dispatch/dispatcher/interval.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace duomap::scheduler {

/// What a worker does next.
struct step {
  enum class what {
    start,      ///< start the device, then call started()
    submit,     ///< submit `grains`, or the first part of them, then call submitted(), or refused()
    take_back,  ///< ask the device to forget its newest open chunk, then call took_back()
    finish,     ///< wait for the oldest open chunk, then call finished()
    commit,     ///< commit, then call committed()
    time_out,   ///< device `other` is overdue: see grain_dispatcher::time_out
    wait,       ///< nothing to do until `until`, or until something has changed; if workers of `other` wait,
                ///< they should go on now
    end,
  };
  what then = what::end;
  grain_range grains = {};
  double until = 0;
  std::optional<unsigned> other = std::nullopt;
};

/// What one worker does in a run, as a state machine. It owns no thread and knows no clock: its caller does
/// what next() says, tells it what came of it and when, and asks again. Used by one thread.
class worker_state_machine {
 public:
  worker_state_machine(grain_dispatcher& all, unsigned index, bool device)
    : all_(all), index_(index), device_(device) {}

  [[nodiscard]] step next(double now);

  void started(double now);
  /// `part` is the beginning of what the last step said. `began`: when submitting it began.
  void submitted(grain_range part, double began);
  /// A block of a stream, which is no part of the grains, is going to be submitted, and was.
  void submits_block(double now);
  void submitted_block(double began, double now);
  /// The oldest open chunk is going to be waited for.
  void finishes(double now);
  /// No record starts in `part`: there is nothing to submit.
  void empty(grain_range part, double now);
  /// There was no memory for what was to be submitted. False: the device gets nothing any more.
  bool refused();
  /// Whether the device has forgotten its newest open chunk.
  void took_back(bool yes);
  /// The oldest open chunk is done. False when the device has been lost: it does not count.
  bool finished(double now);
  /// False when the device has been lost: nothing since the commit before counts.
  bool committed(double now);

  /// Devices, before they are started: from now on starting takes so long.
  void start_takes(double seconds, double now) {
    if (!started_) all_.start_takes(index_, seconds, now);
  }

  /// What the last finished chunk took, in seconds.
  [[nodiscard]] double last_seconds() const noexcept { return last_seconds_; }

  [[nodiscard]] bool has_room() const noexcept { return open_.size() < all_.depth(index_); }
  /// Whether the worker has nothing that it has claimed and not finished.
  [[nodiscard]] bool is_idle() const noexcept { return rest_.empty() && open_.empty(); }
  /// Whether blocks of streams are open or not committed. Those cannot be read again.
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
  bool in_ = false;               // pools: is not throttled
  bool committed_ = false;        // pools commit once, at their end
  grain_range rest_ = {};         // claimed and not submitted
  std::vector<open_chunk> open_;  // few, and none of a worker that comes too late: then no memory is needed
  std::uint32_t end_ = 0;         // of the grains that were submitted last, or found empty
  double wakes_again_ = 0;        // no other executor is woken before
  double last_finish_ = 0;
  double last_seconds_ = 0;
  double last_commit_ = 0;  // ended then
  double commit_began_ = 0;
  double commit_seconds_ = 0;  // the last one took
};

}  // namespace duomap::scheduler
