// Tests on_own_thread(), which runs a function on a new thread.
#include "core/own_thread.hpp"

#include "core/error.hpp"
#include "cpu/memory_speed.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_more_threads.hpp"
#include "tests/support/own_process.hpp"

#include <stdexcept>
#include <string>
#include <thread>

namespace duomap::test::core_own_thread_test {

TEST_CASE("work on a thread of its own ends before its caller goes on", "[own_thread]") {
  std::thread::id its;
  on_own_thread("for a test", [&] { its = std::this_thread::get_id(); });
  CHECK(its != std::thread::id());
  CHECK(its != std::this_thread::get_id());
  CHECK_THROWS_WITH(on_own_thread("for a test", [] { throw std::runtime_error("its failure"); }),
                    "its failure");
}

TEST_CASE("own process: work whose thread the system refuses says what it was for", "[.][own-process]") {
  refuse_threads();
  CHECK_THROWS_WITH(on_own_thread("for a test", [] {}), contains("started no thread for a test ("));
  CHECK_THROWS_AS(on_own_thread("for a test", [] {}), out_of_memory);
  CHECK_THROWS_AS(cpu::measure_memory({.threads = 2, .bytes_per_thread = 1 << 10, .samples = 1}),
                  out_of_memory);
}

TEST_CASE("a thread that the system refuses is out of memory, with the purpose", "[own_thread]") {
  if (!threads_can_be_refused) return;
  check_own_process("own process: work whose thread the system refuses says what it was for");
}

}  // namespace duomap::test::core_own_thread_test
