// Tests that the CPU backend keeps the contract for maps that emit items.
#include "tests/conformance/cpu_backends.hpp"
#include "tests/conformance/item_tasks.hpp"

namespace duomap::test::conformance_cpu_items_test {
namespace {

TEST_CASE("CPU backend: items under hashed keys") { check_items_of_hashed_keys(cpu_backends); }
TEST_CASE("CPU backend: items under dense keys") { check_items_of_dense_keys(cpu_backends); }
TEST_CASE("CPU backend: items without keys") { check_items_without_keys(cpu_backends); }
TEST_CASE("CPU backend: items whose order counts") { check_items_in_order(cpu_backends); }

}  // namespace
}  // namespace duomap::test::conformance_cpu_items_test
