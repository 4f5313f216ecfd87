// Runs the tests with a new random seed each time. It prints the seed before the first test, so that even a
// run that crashes has named its seed.
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
  // Set before the command line is read, which may name another seed. Version 2 would always start with 0.
  session.configData().rngSeed = std::random_device{}();
  if (const int status = session.applyCommandLine(argc, argv); status != 0) {
    return status;
  }
  return session.run();
}
