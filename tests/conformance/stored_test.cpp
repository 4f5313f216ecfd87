// Tests that stored partials keep the contract, with every kind of partial, key and value. Two shapes of runs
// are enough, because other tests cut inputs without files.
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/stored_backends.hpp"

namespace duomap::test::conformance_stored_test {
namespace {

constexpr run_shape shapes[] = {{.grain = 7, .block_bytes = 64, .form = layout::alternating}, {.grain = 64}};

/// Small texts, and one with keys in many partitions.
std::vector<sample> texts() {
  auto random = seeded();
  return {{"nothing", {""}},
          {"lines",
           {"one two three\n\ntwo,three,four\n", "",
            "a word of more than sixteen bytes: incomprehensibilities\n"}},
          {"words", {random_words(random, 3000, 600)}}};
}

template <class Task>
void check_stored(const Task& task, const std::vector<sample>& samples) {
  check_answers(task, samples, stored_backends, shapes);
}

TEST_CASE("stored partials: hashed keys") {
  check_stored(word_counts{}, texts());
  check_stored(word_heads<15>{}, texts());
  check_stored(field_sums{}, texts());
}

TEST_CASE("stored partials: dense keys, slots and best values") {
  auto random = seeded();
  check_stored(seen_values{}, boundary_rows<std::uint16_t>(random, 2));
  check_stored(extremes{}, boundary_rows<std::int64_t>(random, 2));
  check_stored(largest_rows_by_class{}, boundary_rows<std::int64_t>(random, 1));
}

TEST_CASE("stored partials: rows and reductions in input order") {
  check_stored(lines_by_head{}, texts());
  check_stored(places_by_size{}, texts());
  check_stored(word_chains{}, texts());
}

}  // namespace
}  // namespace duomap::test::conformance_stored_test
