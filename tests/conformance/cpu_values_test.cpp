// Tests that the CPU backend keeps the contract for every other kind of key and reduction.
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/backend_life.hpp"
#include "tests/conformance/cpu_backends.hpp"

namespace duomap::test::conformance_cpu_values_test {
namespace {

TEST_CASE("CPU backend: dense keys") { check_dense_keys(cpu_backends); }
TEST_CASE("CPU backend: whole chunks") { check_whole_chunks(cpu_backends); }
TEST_CASE("CPU backend: dense keys out of range") { check_dense_key_range(cpu_backends); }
TEST_CASE("CPU backend: no key") { check_no_key(cpu_backends); }
TEST_CASE("CPU backend: slots") { check_slots(cpu_backends); }
TEST_CASE("CPU backend: extremes of numbers and NaN") { check_nan(cpu_backends); }
TEST_CASE("CPU backend: collected rows") { check_collect(cpu_backends); }
TEST_CASE("CPU backend: best values") { check_top_k(cpu_backends); }
TEST_CASE("CPU backend: reductions that do not commute") { check_input_order(cpu_backends); }
TEST_CASE("CPU backend: without a chunk") { check_backend_without_chunks(cpu_backends); }

}  // namespace
}  // namespace duomap::test::conformance_cpu_values_test
