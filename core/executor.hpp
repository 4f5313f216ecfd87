// The seam between the scheduler, which knows no task, and the backends, which know no other backend.
// host only
#pragma once

#include "core/chunk.hpp"
#include "core/engine_figures.hpp"
#include "core/executor_traits.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace duomap {

/// How a chunk that finish() reports ended, in seconds where known, 0 otherwise. Copies of several chunks do
/// not overlap, nor do their computations: what a chunk waited for the one before is not counted.
struct chunk_report {
  std::uint64_t units = 0;
  double copy_seconds = 0;
  double compute_seconds = 0;
  /// When these ended, as std::chrono::steady_clock counts seconds; 0 where not known.
  double copy_ended = 0;
  double compute_ended = 0;
};

/// How far a device is with its start.
enum class start_progress {
  ready,     ///< prepare() need not wait for it, or says why there is no device
  going_on,  ///< others start it
  none,      ///< there is no such device
};

/// Runs one task on one CPU pool or one GPU, chunk by chunk: one virtual call per chunk over templates per
/// record.
///
/// Life: drive() once, or never when others did all while it was held back; within it, on each worker's
/// thread, any number of submit() and finish(); after it the typed backend (core/backend.hpp) hands over its
/// partial.
///
/// Executors are pools or devices (executor_traits.hpp). What a pool has finished is safe, and what it throws
/// ends the run. What a device, which has one worker, has finished may be lost with it and is safe once
/// commit() has returned. After device_lost (core/error.hpp), or out_of_memory from finish() or commit(),
/// everything since the last commit is run elsewhere, nothing is called any more, and the partial must hold
/// nothing of it. out_of_memory from submit() means that the chunk was not taken and may come again, smaller.
class executor {
 public:
  virtual ~executor() = default;

  /// For reports: "cpu", "gpu 0 (NVIDIA H200)".
  [[nodiscard]] virtual std::string name() const = 0;

  /// Threads of control that take chunks: cores for a CPU pool, 1 for a GPU.
  [[nodiscard]] virtual unsigned workers() const noexcept = 0;

  /// Chunks one worker may have submitted and not finished: 1 where submit() does the work, more where copy
  /// and compute overlap. A chunk's bytes must stay valid until it is finished.
  [[nodiscard]] virtual unsigned depth() const noexcept = 0;

  /// What it is, from its making to its end.
  [[nodiscard]] virtual executor_traits traits() const noexcept = 0;

  /// Devices: about how long prepare() takes, in seconds, if it is called now. Any thread may ask.
  [[nodiscard]] virtual double start_seconds() const noexcept { return 0; }

  /// After drive(): what the run's report should say of how it went, each a sentence.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }

  /// After drive(): what a device's engine did.
  [[nodiscard]] virtual engine_figures figures() const { return {}; }

  /// Calls body(worker) once for each worker, concurrently if it can, on its own threads; returns when all
  /// have returned, rethrowing the first exception. Bodies must not wait for each other.
  virtual void drive(const std::function<void(unsigned worker)>& body) = 0;

  /// Devices: begins to start the device beside the run, if that was not done before. Called on the worker's
  /// own thread until it is ready.
  virtual start_progress begin_start() { return start_progress::ready; }

  /// Devices: starts what submit() would have to start, so that no chunk waits meanwhile. Called at most
  /// once, on the worker's own thread, when begin_start() says that it may be.
  virtual void prepare(unsigned /*worker*/) {}

  /// Takes a chunk. Called only on the worker's own thread, with fewer than depth() chunks open.
  virtual void submit(unsigned worker, const chunk& part) = 0;

  /// Pools: after submit() threw, where map was in the chunk's source, in units; nothing where that is not
  /// known.
  [[nodiscard]] virtual std::optional<std::uint64_t> failed_at(unsigned /*worker*/) const { return {}; }

  /// Waits for the worker's oldest open chunk. Called only on the worker's own thread, with a chunk open.
  virtual chunk_report finish(unsigned worker) = 0;

  /// Devices: forgets the newest open chunk, if nothing of it has been mapped: others will do it, because the
  /// device turned out to be slow. Its bytes are not read any more. False when it is too late. Called on the
  /// worker's own thread.
  virtual bool take_back(unsigned /*worker*/) { return false; }

  /// Makes everything this worker has finished independent of its device. Called on the worker's own thread.
  virtual void commit(unsigned worker) = 0;

  /// Devices: whether abandon() may be called when a call has not returned for far too long.
  [[nodiscard]] virtual bool can_be_abandoned() const noexcept { return false; }

  /// Gives the device up, on another thread than the worker's, while a call of the worker's may hang. Returns
  /// how many commits count; a commit() that has not returned either is one of them or never will be. From
  /// then on the executor reads no chunk's bytes and writes no output that the task places (what is going on
  /// is waited for), the partial is what those commits hold, and the hanging call may return whenever it
  /// likes; the executor lives until it has.
  virtual std::uint64_t abandon() { return 0; }
};

}  // namespace duomap
