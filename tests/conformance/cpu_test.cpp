// Tests that the CPU backend keeps the contract for hashed keys and at the end of a run.
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/backend_life.hpp"
#include "tests/conformance/cpu_backends.hpp"

namespace duomap::test::conformance_cpu_test {
namespace {

TEST_CASE("CPU backend: word counts") { check_word_counts(cpu_backends); }
TEST_CASE("CPU backend: texts around the product's grains and blocks") { check_large_texts(cpu_backends); }
TEST_CASE("CPU backend: very many keys") { check_many_keys(cpu_backends); }
TEST_CASE("CPU backend: very many keys whose values are folded in order") {
  // The first half has hardly a key twice; the second half repeats the first.
  const std::string text = repeated(many_keys(), many_keys_name);
  check_answers(line_spans{}, {{"many keys", {text + text, repeated(5000, many_keys_name)}}}, cpu_backends,
                product_shapes);
}
TEST_CASE("CPU backend: keys of any length") { check_byte_keys(cpu_backends); }
TEST_CASE("CPU backend: keys of fixed size") { check_fixed_size_keys(cpu_backends); }
TEST_CASE("CPU backend: rows in place") { check_rows_in_place(cpu_backends); }
TEST_CASE("CPU backend: exceptions of map") { check_exceptions(cpu_backends); }
TEST_CASE("CPU backend: cancellation") { check_cancellation(cpu_backends); }
TEST_CASE("CPU backend: report and progress") { check_report(cpu_backends); }

}  // namespace
}  // namespace duomap::test::conformance_cpu_test
