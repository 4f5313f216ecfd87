// Tests which vector path the CPU's features select.
#include "cpu/features.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <string>

namespace duomap::test::cpu_features_test {

using duomap::cpu::choose_vector_path;
using duomap::cpu::name;
using duomap::cpu::vector_path;
using duomap::test::contains;

TEST_CASE("without a wish the best path is taken", "[features]") {
  for (const auto best : {vector_path::portable, vector_path::avx2, vector_path::avx512}) {
    CHECK(choose_vector_path("", best) == best);
  }
}

TEST_CASE("any path up to the best can be asked for", "[features]") {
  const vector_path paths[] = {vector_path::portable, vector_path::avx2, vector_path::avx512};
  for (const auto best : paths) {
    for (const auto wanted : paths) {
      INFO(name(wanted) << " of " << name(best));
      if (wanted <= best) {
        CHECK(choose_vector_path(name(wanted), best) == wanted);
      } else {
        CHECK_THROWS_AS(choose_vector_path(name(wanted), best), duomap::usage_error);
        CHECK_THROWS_WITH(choose_vector_path(name(wanted), best),
                          contains("DUOMAP_VECTOR=" + std::string(name(wanted))) &&
                              contains("supports at most " + std::string(name(best))));
      }
    }
  }
}

TEST_CASE("an unknown path is an error that lists the known ones", "[features]") {
  for (const std::string wanted : {"sse", "AVX2", "avx512 ", " ", "avx"}) {
    CHECK_THROWS_AS(choose_vector_path(wanted, vector_path::avx512), duomap::usage_error);
    CHECK_THROWS_WITH(choose_vector_path(wanted, vector_path::avx2),
                      contains("portable, avx2 and avx512") && contains("at most avx2"));
  }
}

TEST_CASE("the active path is one this CPU supports, and stays", "[features]") {
  const auto active = duomap::cpu::active_vector_path();
  CHECK(active <= duomap::cpu::best_vector_path());
  CHECK(duomap::cpu::active_vector_path() == active);
}

}  // namespace duomap::test::cpu_features_test
