// The CPU backend keeps the contract.
#include "cpu/cpu_backend.hpp"
#include "tests/backend_contract.hpp"

namespace duomap::test {
namespace {

constexpr auto cpu_backends = []<class Task>(const Task& task, parallel& pool) -> std::unique_ptr<backend<Task>> {
  return std::make_unique<cpu::cpu_backend<Task>>(task, pool);
};

TEST_CASE("CPU backend: word counts") { check_word_counts(cpu_backends); }
TEST_CASE("CPU backend: texts around the product's grains and blocks") { check_large_texts(cpu_backends); }
TEST_CASE("CPU backend: keys of any length") { check_byte_keys(cpu_backends); }
TEST_CASE("CPU backend: keys of fixed size") { check_fixed_size_keys(cpu_backends); }
TEST_CASE("CPU backend: dense keys") { check_dense_keys(cpu_backends); }
TEST_CASE("CPU backend: no key") { check_no_key(cpu_backends); }
TEST_CASE("CPU backend: slots") { check_slots(cpu_backends); }
TEST_CASE("CPU backend: collected rows") { check_collect(cpu_backends); }
TEST_CASE("CPU backend: best values") { check_top_k(cpu_backends); }
TEST_CASE("CPU backend: reductions that do not commute") { check_input_order(cpu_backends); }
TEST_CASE("CPU backend: without a chunk") { check_backend_without_chunks(cpu_backends); }
TEST_CASE("CPU backend: exceptions of map") { check_exceptions(cpu_backends); }
TEST_CASE("CPU backend: dense keys out of range") { check_dense_key_range(cpu_backends); }
TEST_CASE("CPU backend: cancellation") { check_cancellation(cpu_backends); }
TEST_CASE("CPU backend: report and progress") { check_report(cpu_backends); }

}  // namespace
}  // namespace duomap::test
