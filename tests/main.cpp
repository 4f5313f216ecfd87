// Runs the tests: Catch2's session with a random seed that is new in every run and printed before the first
// test, so that a run that crashes has named its seed too.
#define CATCH_CONFIG_RUNNER
#include "tests/catch.hpp"

#include <cstdio>
#include <random>

namespace {

#if DUOMAP_CATCH_VERSION == 3
using listener = Catch::EventListenerBase;
#else
using listener = Catch::TestEventListenerBase;
#endif

struct seed_printer : listener {
  using listener::listener;

  void testRunStarting(const Catch::TestRunInfo&) override {
    std::fprintf(stderr, "random seed %u; repeat with --rng-seed %u\n", duomap::test::seed(),
                 duomap::test::seed());
  }
};

CATCH_REGISTER_LISTENER(seed_printer)

}  // namespace

int main(int argc, char** argv) {
  Catch::Session session;
  // Before the command line, which may name another seed. Version 2 starts with 0, the same in every run.
  session.configData().rngSeed = std::random_device{}();
  if (const int status = session.applyCommandLine(argc, argv); status != 0) {
    return status;
  }
  return session.run();
}
