// Tests threads that the process keeps for later work.
#include "core/kept_thread.hpp"

#include "tests/catch.hpp"
#include "tests/support/no_more_threads.hpp"
#include "tests/support/own_process.hpp"

#include <sched.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace duomap::test::core_kept_thread_test {

TEST_CASE("work on a kept thread has ended, and its function is destroyed, when it was joined",
          "[kept_thread]") {
  const auto held = std::make_shared<std::atomic<int>>(0);
  kept_thread one([held] { ++*held; });
  one.join();
  CHECK(*held == 1);
  CHECK(held.use_count() == 1);
  one.join();
  {
    const kept_thread another([held] { ++*held; });
  }
  CHECK(*held == 2);
}

TEST_CASE("kept threads work side by side, and later work gets the same threads", "[kept_thread]") {
  const auto ids_of = [](unsigned count) {
    std::vector<std::thread::id> ids(count);
    std::atomic<unsigned> begun = 0;
    std::vector<kept_thread> threads;
    for (unsigned i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        ids[i] = std::this_thread::get_id();
        ++begun;
        while (begun < count) std::this_thread::yield();
      });
    }
    threads.clear();
    return std::set<std::thread::id>(ids.begin(), ids.end());
  };
  const auto first = ids_of(5);
  CHECK(first.size() == 5);
  CHECK_FALSE(first.contains(std::this_thread::get_id()));
  CHECK(ids_of(5) == first);
}

TEST_CASE("a kept thread begins with the affinity of its caller", "[kept_thread]") {
  const auto affinity = [] {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    static_cast<void>(::sched_getaffinity(0, sizeof cpus, &cpus));
    return cpus;
  };
  const cpu_set_t mine = affinity();
  REQUIRE(CPU_COUNT(&mine) > 0);
  std::thread::id bound;
  kept_thread([&] {
    bound = std::this_thread::get_id();
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (!CPU_ISSET(cpu, &mine)) continue;
      CPU_SET(cpu, &one);
      break;
    }
    static_cast<void>(::sched_setaffinity(0, sizeof one, &one));
  }).join();
  std::thread::id next;
  cpu_set_t its;
  kept_thread([&] {
    next = std::this_thread::get_id();
    its = affinity();
  }).join();
  CHECK(next == bound);
  CHECK(CPU_EQUAL(&its, &mine));
}

TEST_CASE("own process: a kept thread where the system starts none", "[.][own-process]") {
  std::thread::id first;
  kept_thread([&] { first = std::this_thread::get_id(); }).join();
  refuse_threads();
  std::thread::id second;
  kept_thread kept([&] { second = std::this_thread::get_id(); });
  CHECK_THROWS_AS(kept_thread([] {}), std::system_error);
  kept.join();
  CHECK(second == first);
  kept_thread([&] { second = {}; }).join();
  CHECK(second == std::thread::id());
}

TEST_CASE("a thread that is kept works on where the system starts no more", "[kept_thread]") {
  if (!threads_can_be_refused) return;
  check_own_process("own process: a kept thread where the system starts none");
}

}  // namespace duomap::test::core_kept_thread_test
