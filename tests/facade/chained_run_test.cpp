// Tests chained tasks: the entries of a result are the input of the next task.
#include "scheduler/chained_run.hpp"

#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <string>

namespace duomap::test::facade_chained_run_test {
namespace {

using word_counts = std::map<std::string, std::uint64_t>;

struct count_words {
  using format = words;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  void map(byte_view word, auto& emit) const { emit(word, 1); }
};

/// Keeps each key and doubles its value.
struct twice {
  using format = entries_for<count_words>;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  void map(const format::record& from, auto& emit) const { emit(from.key, 2 * from.value); }
};

/// Counts words by their size, so the key is a number.
struct count_lengths {
  using format = entries_for<count_words>;
  using key = std::uint64_t;
  using reduce = sum<std::uint64_t>;
  void map(const format::record& from, auto& emit) const { emit(from.key.size, 1); }
};

/// Sums keys times values of a task with number keys.
struct add_all {
  using format = entries_for<count_lengths>;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  void map(const format::record& from, auto& emit) const { emit(from.key * from.value); }
};

template <class Task>
word_counts rows_of(const keyed_result<Task>& result) {
  word_counts rows;
  result.for_each([&](byte_view key, std::uint64_t value) { rows[std::string(key.text())] += value; });
  CHECK(rows.size() == result.size());
  return rows;
}

word_counts doubled(word_counts rows, std::uint64_t times = 2) {
  for (auto& [key, value] : rows) value *= times;
  return rows;
}

}  // namespace

TEST_CASE("chained: tasks go on from a result", "[chained]") {
  std::mt19937_64 random(seed());
  const auto pool = cpu::machine_pool(3, index_input(1000));
  const std::uint64_t most = torture_hash ? 300 : 60'000;
  for (const std::uint64_t vocabulary : {std::uint64_t{1}, std::uint64_t{40}, most}) {
    std::string text = random_words(random, torture_hash ? 3000 : 600'000, vocabulary);
    text += " aVeryLongWordThatStandsOutsideOfItsSlot";
    const auto counts = run(count_words{}, text_input(text), *pool, {.device = device_choice::cpu});
    run_report report;
    const auto again = run(twice{}, entries_of(counts), *pool, {.report = &report});
    CHECK((rows_of(again) == doubled(rows_of(counts))));
    CHECK(report.results == counts.size());

    word_counts lengths;
    std::uint64_t bytes = 0;
    for (const auto& [word, count] : rows_of(counts)) {
      ++lengths[std::to_string(word.size())];
      bytes += word.size();
    }
    const auto by_length = run(count_lengths{}, entries_of(counts), *pool);
    word_counts found;
    by_length.for_each([&](std::uint64_t size, std::uint64_t count) { found[std::to_string(size)] = count; });
    CHECK((found == lengths));
    CHECK(run(add_all{}, entries_of(by_length), *pool)[0] == bytes);
  }
}

TEST_CASE("chained: several results are one input", "[chained]") {
  const auto pool = cpu::machine_pool(2, index_input(1000));
  const run_options on_cpu{.device = device_choice::cpu};
  const auto some = run(count_words{}, text_input("a b b thisIsALongerWord"), *pool, on_cpu);
  const auto more = run(twice{}, entries_of(some), *pool);
  const auto none = run(count_words{}, text_input(""), *pool, on_cpu);
  CHECK((rows_of(run(twice{}, entries_of(some, none, more), *pool)) == doubled(rows_of(some), 6)));
  CHECK(rows_of(run(twice{}, entries_of(none), *pool)).empty());
}

TEST_CASE("chained: a row that is taken out of a result is gone", "[chained]") {
  const auto pool = cpu::machine_pool(2, index_input(1000));
  for (const std::string word :
       {"a", "fifteenBytesKey", "sixteenBytesKeys", "aVeryLongWordThatStandsOutside"}) {
    auto counts =
        run(count_words{}, text_input("b c " + word + " c " + word), *pool, {.device = device_choice::cpu});
    CHECK(!counts.take(byte_view("nowhere")));
    CHECK(!counts.take(byte_view{"", 0}));
    CHECK(counts.take(byte_view(word)) == 2u);
    CHECK(!counts.take(byte_view(word)));
    CHECK((rows_of(counts) == word_counts{{"b", 1}, {"c", 2}}));
  }
}

}  // namespace duomap::test::facade_chained_run_test
