// Gives each worker's body to a slot of its node's oneTBB arena, and binds the thread while the body runs.
#include "cpu/tbb_pool.hpp"

#include "core/config.hpp"
#include "core/error.hpp"
#include "cpu/affinity.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/version.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

namespace duomap::cpu {
namespace {

namespace tbb = oneapi::tbb;

/// One call of run_workers(), shared by its bodies. The class has atomics of its own, because ThreadSanitizer
/// cannot see into oneTBB, which orders the same writes too.
class running_bodies {
 public:
  running_bodies(const std::function<void(unsigned)>& body, unsigned workers)
    : body_(body), taken_(workers) {}

  /// The caller of run_workers() calls start() before the first body may run.
  void start() noexcept { started_.store(true, std::memory_order_release); }

  /// Runs a worker's body, unless another thread has taken that body. Any thread may call it.
  void run(unsigned worker, const std::vector<unsigned>& cpus) noexcept {
    if (!started_.load(std::memory_order_acquire)) return;
    if (taken_[worker].exchange(true, std::memory_order_relaxed)) return;
    try {
      const scoped_affinity bound(cpus);
      body_(worker);
    } catch (...) {
      if (!failed_.test_and_set(std::memory_order_relaxed)) first_error_ = std::current_exception();
    }
    returned_.fetch_add(1, std::memory_order_release);
    returned_.notify_one();
  }

  /// Waits until all bodies have returned. The caller of run_workers() calls it when all bodies are taken.
  void finish() const {
    for (unsigned done = 0; (done = returned_.load(std::memory_order_acquire)) < taken_.size();)
      returned_.wait(done, std::memory_order_acquire);
    if (first_error_) std::rethrow_exception(first_error_);
  }

 private:
  const std::function<void(unsigned)>& body_;
  std::vector<std::atomic<bool>> taken_;  // whether a thread has taken the worker's body
  std::atomic<bool> started_ = false;
  std::atomic<unsigned> returned_ = 0;
  std::atomic_flag failed_;
  std::exception_ptr first_error_;  // written by the one body that set failed_
};

/// Limits the number of oneTBB's threads while the object lives. If there are several limits, oneTBB takes
/// the smallest. So all pools of a process share one limit, which is the sum of their threads.
class thread_limit {
 public:
  explicit thread_limit(unsigned threads) : threads_(threads) { change(+1); }
  ~thread_limit() { change(-1); }
  thread_limit(const thread_limit&) = delete;
  thread_limit& operator=(const thread_limit&) = delete;

 private:
  struct shared_limit {
    std::mutex mutex;
    std::size_t threads = 0;  // the sum over all pools
    std::optional<tbb::global_control> control;
  };

  void change(int sign) {
    // The object is never destroyed, because a thread may still run a job and use it when the process ends.
    static shared_limit& shared = *new shared_limit;
    const std::lock_guard lock(shared.mutex);
    shared.threads = sign > 0 ? shared.threads + threads_ : shared.threads - threads_;
    shared.control.reset();
    if (shared.threads > 0) {
      shared.control.emplace(tbb::global_control::max_allowed_parallelism, shared.threads);
    }
  }

  unsigned threads_;
};

std::atomic<bool> any_has_run = false;

/// The workers of one node.
struct node_workers {
  // Every arena keeps a slot for the caller, so that the caller joins an arena without waiting for a thread
  // to leave. In the first node, the caller is one of the workers. Other nodes get an additional slot,
  // because there the caller only passes through.
  node_workers(unsigned first_worker, unsigned worker_count, std::vector<unsigned> bound_to)
    : first(first_worker),
      count(worker_count),
      cpus(std::move(bound_to)),
      arena(static_cast<int>(first_worker == 0 ? worker_count : worker_count + 1), 1) {}

  unsigned first;
  unsigned count;
  std::vector<unsigned> cpus;  // empty: the threads are not bound
  tbb::task_arena arena;
};

using nodes_with_workers = std::deque<node_workers>;  // a deque, because arenas cannot move

std::unique_ptr<nodes_with_workers> make_arenas(const std::vector<unsigned>& workers_of_node,
                                                const std::vector<numa_node>& nodes) {
  auto all = std::make_unique<nodes_with_workers>();
  unsigned first = 0;
  for (std::size_t node = 0; node < workers_of_node.size(); ++node) {
    const unsigned count = workers_of_node[node];
    if (count == 0) continue;
    all->emplace_back(first, count, nodes.size() < 2 ? std::vector<unsigned>{} : nodes[node].cpus);
    first += count;
  }
  return all;
}

/// The arenas of destroyed pools, kept for later pools. In oneTBB 2021.8, the first use of an arena takes
/// longer the more arenas the process has used: 260 us after 5,000 pools.
class idle_arenas {
 public:
  /// Returns kept arenas of a pool with the same workers and CPUs, or makes new ones.
  [[nodiscard]] static std::unique_ptr<nodes_with_workers> take(const std::vector<unsigned>& workers_of_node,
                                                                const std::vector<numa_node>& nodes) {
    auto wanted = make_arenas(workers_of_node, nodes);
    idle_arenas& idle = shared();
    const std::lock_guard lock(idle.mutex_);
    for (auto& one : idle.all_) {
      if (one && std::ranges::equal(*one, *wanted, alike)) return std::move(one);
    }
    return wanted;
  }

  /// Keeps arenas. If there is no room, older ones are destroyed.
  static void give(std::unique_ptr<nodes_with_workers> one) noexcept {
    idle_arenas& idle = shared();
    const std::lock_guard lock(idle.mutex_);
    const auto room = std::ranges::find_if(idle.all_, [](const auto& each) { return each == nullptr; });
    if (room != idle.all_.end()) {
      *room = std::move(one);
    } else {
      idle.all_[idle.next_].swap(one);
      idle.next_ = (idle.next_ + 1) % idle.all_.size();
    }
  }

 private:
  static bool alike(const node_workers& a, const node_workers& b) {
    return a.first == b.first && a.count == b.count && a.cpus == b.cpus;
  }
  static idle_arenas& shared() {
    // The object is never destroyed, for the same reason as `shared` in thread_limit.
    static idle_arenas& idle = *new idle_arenas;
    return idle;
  }

  std::mutex mutex_;
  std::array<std::unique_ptr<nodes_with_workers>, 8> all_;
  std::size_t next_ = 0;
};

/// Ignores oneTBB's report that the system did not start a thread. The caller of run_workers() later runs the
/// bodies that no thread has taken.
template <class Call>
void unless_no_thread(const Call& call) {
  try {
    call();
  } catch (const std::runtime_error&) {
  }
}

/// The function object that oneTBB copies and calls. It reads its own members before any synchronisation that
/// ThreadSanitizer can see, so the sanitizer leaves it out.
struct bodies_of_node {
  running_bodies* bodies;
  const node_workers* node;

  __attribute__((no_sanitize("thread"), noinline)) void operator()(
      const tbb::blocked_range<unsigned>& workers) const {
    for (unsigned worker = workers.begin(); worker < workers.end(); ++worker) bodies->run(worker, node->cpus);
  }

  /// Runs all bodies of the node on threads of its arena. Each slot of the arena gets its own body. When 16
  /// threads took bodies from one list, the last body began 40 us later.
  __attribute__((no_sanitize("thread"), noinline)) void operator()() const {
    tbb::task_group_context apart(tbb::task_group_context::isolated);
    const tbb::blocked_range<unsigned> workers(node->first, node->first + node->count);
    unless_no_thread([&] { tbb::parallel_for(workers, *this, tbb::static_partitioner(), apart); });
  }
};

}  // namespace

/// The part of a pool of two or more workers that uses oneTBB.
///
/// If memory ends inside oneTBB 2021.8, it keeps its locks or waits for a task that it has lost. Then its
/// destructors and its next call hang. After such a failure, the process calls oneTBB no more and keeps all
/// memory that oneTBB may still read. From then on, the thread that calls a pool runs all bodies itself.
class tbb_pool::threads {
 public:
  threads(std::vector<unsigned> workers_of_node, std::vector<numa_node> nodes)
    : workers_of_node_(std::move(workers_of_node)),
      nodes_(std::move(nodes)),
      workers_(std::accumulate(workers_of_node_.begin(), workers_of_node_.end(), 0U)) {}

  ~threads() {
    if (lost.load(std::memory_order_relaxed)) {
      static_cast<void>(arenas_.release());
    } else if (arenas_) {
      idle_arenas::give(std::move(arenas_->nodes));
    }
  }

  threads(const threads&) = delete;
  threads& operator=(const threads&) = delete;

  void run(const std::function<void(unsigned)>& body) {
    any_has_run.store(true, std::memory_order_relaxed);
    if (!arenas_ && !lost.load(std::memory_order_relaxed)) make_arenas_of_pool();
    auto call = std::make_unique<one_call>(body, workers_, arenas_ ? arenas_->nodes->size() : 0);
    running_bodies& bodies = call->bodies;
    if (!lost.load(std::memory_order_relaxed)) {
      try {
        share(*call);
      } catch (const std::bad_alloc&) {
        lost.store(true, std::memory_order_relaxed);
      }
    }
    if (lost.load(std::memory_order_relaxed)) static_cast<void>(call.release());
    // If the system gave oneTBB too few threads, some bodies are left. The caller runs them here.
    bodies.start();
    for (unsigned worker = 0; worker < workers_; ++worker) bodies.run(worker, {});
    bodies.finish();
  }

 private:
  struct arenas {
    explicit arenas(unsigned workers) : limit(workers) {}

    thread_limit limit;
    std::unique_ptr<nodes_with_workers> nodes;
  };

  struct one_call {
    one_call(const std::function<void(unsigned)>& body, unsigned workers, std::size_t nodes)
      : bodies(body, workers), groups(nodes) {}

    running_bodies bodies;
    std::deque<tbb::task_group> groups;  // one for each node; the first stays unused
  };

  // The arenas are made only when a run wakes other threads, because making them takes as long as the
  // shortest runs. A small run wakes no thread.
  void make_arenas_of_pool() {
    try {
      arenas_ = std::make_unique<arenas>(workers_);
    } catch (const std::bad_alloc&) {
      lost.store(true, std::memory_order_relaxed);
      return;
    }
    arenas_->nodes = idle_arenas::take(workers_of_node_, nodes_);
  }

  void share(one_call& call) {
    auto& nodes = *arenas_->nodes;
    call.bodies.start();
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      nodes[i].arena.execute([&] {
        unless_no_thread([&] { call.groups[i].run(bodies_of_node{&call.bodies, &nodes[i]}); });
      });
    }
    nodes[0].arena.execute(bodies_of_node{&call.bodies, &nodes[0]});
    // The caller joins one node after the other, and runs bodies that no thread has started.
    for (std::size_t i = 1; i < nodes.size(); ++i) nodes[i].arena.execute([&] { call.groups[i].wait(); });
  }

  // Whether memory has ended inside oneTBB in this process, which then calls oneTBB no more.
  inline static std::atomic<bool> lost = false;

  std::vector<unsigned> workers_of_node_;
  std::vector<numa_node> nodes_;
  unsigned workers_;
  std::unique_ptr<arenas> arenas_;  // none before the first call, and none after memory ended in oneTBB
};

tbb_pool::tbb_pool(unsigned workers, const std::vector<numa_node>& nodes) {
  const unsigned count = std::max(1U, workers);
  const auto workers_of_node = nodes.size() < 2 ? std::vector<unsigned>{count} : spread_workers(count, nodes);
  for (unsigned node = 0; node < workers_of_node.size(); ++node) {
    node_of_worker_.insert(node_of_worker_.end(), workers_of_node[node], node);
  }
  if (count > 1) threads_ = std::make_unique<threads>(workers_of_node, nodes);
}

tbb_pool::~tbb_pool() = default;

unsigned tbb_pool::workers() const noexcept { return static_cast<unsigned>(node_of_worker_.size()); }

double tbb_pool::wake_seconds() const noexcept {
  if (!threads_) return 0;
  // 50 us is about twice the time to start 15 threads and wait for them (decision 83).
  return threads_have_started() ? 50e-6 : 2e-3;
}

unsigned tbb_pool::node_of(unsigned worker) const {
  expects(worker < workers(), "tbb_pool::node_of: no such worker");
  return node_of_worker_[worker];
}

void tbb_pool::run_workers(const std::function<void(unsigned)>& body) {
  if (threads_) {
    threads_->run(body);
  } else {
    body(0);
  }
}

bool threads_have_started() noexcept { return any_has_run.load(std::memory_order_relaxed); }

std::vector<unsigned> spread_workers(unsigned workers, const std::vector<numa_node>& nodes) {
  std::vector<unsigned> share(nodes.size(), 0);
  std::uint64_t cpus = 0;
  for (const auto& node : nodes) cpus += node.cpus.size();
  if (cpus == 0) {
    if (!share.empty()) share[0] = workers;
    return share;
  }

  unsigned given = 0;
  std::vector<std::size_t> by_remainder(nodes.size());
  std::iota(by_remainder.begin(), by_remainder.end(), std::size_t{0});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    share[i] = static_cast<unsigned>(workers * std::uint64_t{nodes[i].cpus.size()} / cpus);
    given += share[i];
  }
  const auto remainder = [&](std::size_t i) {
    return workers * std::uint64_t{nodes[i].cpus.size()} % cpus;
  };
  std::stable_sort(by_remainder.begin(), by_remainder.end(),
                   [&](std::size_t a, std::size_t b) { return remainder(a) > remainder(b); });
  for (std::size_t i = 0; given < workers; ++i, ++given) ++share[by_remainder[i]];
  return share;
}

std::string tbb_version() {
  const std::string compiled = TBB_VERSION_STRING;
  const std::string loaded = TBB_runtime_version();
  return loaded == compiled ? compiled : compiled + " (running with " + loaded + ")";
}

}  // namespace duomap::cpu
