// Tests verify(): correct tasks pass, and for each broken law it shows values that break the law.
#include "core/verify/verify.hpp"

#include "tests/catch.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/laws.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::core_verify_verify_test {
namespace {

std::vector<std::string> laws(const std::vector<law_check>& checks) {
  std::vector<std::string> names;
  for (const law_check& check : checks) names.push_back(check.law);
  return names;
}

input some_words() {
  auto random = std::mt19937_64(seed());
  return text_input(random_words(random, 20'000, 300));
}

template <class T>
input some_rows(std::uint32_t width, std::uint64_t header_bytes, std::uint64_t values = 1000) {
  auto random = std::mt19937_64(seed());
  return text_input(random_rows<T>(random, 3000, width, header_bytes, 3, values));
}

using list = std::vector<std::string>;

TEST_CASE("verify: right tasks keep their laws") {
  for (const std::uint64_t rounds : {1u, 2u, 3u}) {
    // A torture build takes samples of two rows, so it needs more of them to reach the last slot.
    const std::uint64_t samples = torture ? 40 : 5;
    const verify_options options{.samples = samples * rounds, .trials = 200 * rounds, .seed = rounds};
    const auto check_holds = [&](const auto& task, const input& from, const list& expected) {
      const auto checks = verify(task, from, options);
      CHECK(laws(checks) == expected);
      CHECK(broken_laws(checks).empty());
      for (const law_check& check : checks) {
        INFO(check.law);
        CHECK(check.trials > 0);
      }
    };
    const list map_laws = {"members read", "pure map", "independent of cuts"};
    const auto with = [&](list more) {
      list all = map_laws;
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    check_holds(word_counts{}, some_words(), with({"associative", "commutative", "identity"}));
    check_holds(word_counts{.lower_case = true}, some_words(),
                with({"associative", "commutative", "identity"}));
    check_holds(line_heads{}, some_words(), with({"associative", "commutative", "identity"}));
    check_holds(field_sums{}, some_words(), with({"associative", "commutative", "identity"}));
    check_holds(number_parity{}, some_rows<std::uint64_t>(2, 24),
                with({"associative", "commutative", "identity"}));
    check_holds(cell_moments{}, some_rows<std::int32_t>(3, 8),
                with({"keys below key_count()", "associative", "commutative", "identity"}));
    check_holds(overall<minimum<std::int64_t>>{}, some_rows<std::int64_t>(1, 0),
                with({"associative", "commutative"}));
    check_holds(word_chains{}, some_words(), with({"associative", "identity"}));
    check_holds(line_spans{}, some_words(), with({"associative"}));
    check_holds(lines_by_head{.grouped = true}, some_words(), map_laws);
    check_holds(pair_distances{}, index_input(9000),
                with({"keys below key_count()", "associative", "commutative"}));
    check_holds(largest_rows{}, some_rows<std::int64_t>(1, 0), with({"ranking"}));
    check_holds(extremes{}, some_rows<std::int64_t>(2, 0, 30),
                with({"slot 0 associative", "slot 0 commutative", "slot 1 associative", "slot 1 commutative",
                      "slot 2 associative", "slot 2 commutative", "slot 2 identity"}));
  }
}

struct row_sums {
  using format = rows<double>;
  using key = no_key;
  using reduce = sum<double>;
  void map(const row<double>& r, auto& emit) const { emit(r[0] / 3); }
};

TEST_CASE("verify: floating-point sums are associative up to rounding") {
  std::string bytes;
  auto random = std::mt19937_64(seed());
  for (int i = 0; i < 1000; ++i) {
    const double value =
        std::ldexp(static_cast<double>(random()) - 0x1p63, static_cast<int>(random() % 40) - 60);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  CHECK(broken_laws(verify(row_sums{}, text_input(bytes))).empty());
}

TEST_CASE("verify: sources of every kind, and none at all") {
  auto random = std::mt19937_64(seed());
  for (const layout form : {layout::addressable, layout::streamed, layout::alternating}) {
    for (const sample& one : boundary_texts(random)) {
      INFO(one.name);
      CHECK(broken_laws(verify(word_counts{}, make_input(one, form))).empty());
    }
  }
  const auto nothing = verify(word_counts{}, text_input(""));
  for (const law_check& check : nothing) {
    CHECK(check.holds());
    CHECK((check.trials == 0 || check.law == "members read"));
  }
  CHECK(verify(word_counts{}, input{}).size() == nothing.size());
}

// Each of these reductions breaks a law that it declares.

/// a - b is neither associative nor commutative, but declares both.
struct subtraction {
  using value_type = std::int64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a - b; }
};

/// The mean of two values is commutative, but wrong for more than two.
struct average {
  using value_type = double;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  double operator()(double a, double b) const { return (a + b) / 2; }
};

/// Associative, but the result depends on the order.
struct keep_left {
  using value_type = std::int64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  std::int64_t operator()(std::int64_t a, std::int64_t /*b*/) const { return a; }
};

/// A product whose identity is wrongly 0.
struct product {
  using value_type = std::uint64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  std::uint64_t identity() const { return 0; }
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a * b; }
};

/// The identity works on one side only.
struct left_identity {
  using value_type = std::int64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = false;
  std::int64_t identity() const { return 0; }
  std::int64_t operator()(std::int64_t /*a*/, std::int64_t b) const { return b; }
};

TEST_CASE("verify: a broken law of the reduction is named, with values") {
  const input numbers = some_rows<std::int64_t>(1, 0);
  {
    const auto checks = verify(overall<subtraction>{}, numbers);
    CHECK(broken_laws(checks) == list{"associative", "commutative"});
    CHECK_THAT(check_of(checks, "associative").counterexample, contains("(a.b).c = "));
    CHECK_THAT(check_of(checks, "commutative").counterexample, contains(" but b.a = "));
  }
  {
    const auto checks = verify(overall<average>{}, numbers);
    CHECK(broken_laws(checks) == list{"associative"});
    CHECK_THAT(check_of(checks, "associative").counterexample, contains("but a.(b.c) = "));
  }
  CHECK(broken_laws(verify(overall<keep_left>{}, numbers)) == list{"commutative"});
  {
    const auto checks = verify(overall<product>{}, numbers);
    CHECK(broken_laws(checks) == list{"identity"});
    CHECK_THAT(check_of(checks, "identity").counterexample, contains("e = 0, a = "));
  }
  CHECK(broken_laws(verify(overall<left_identity>{}, numbers)) == list{"identity"});
}

struct counted_wrongly : word_counts {
  using reduce = subtraction;
  void map(byte_view word, auto& emit) const { emit(word, 1); }
};

TEST_CASE("verify: a task that emits one value only is tried on sums of it") {
  // 1 - 1 is 0 in any order, so single emits show nothing. Reduced values show the broken law.
  CHECK(broken_laws(verify(counted_wrongly{}, some_words())) == list{"associative", "commutative"});
}

struct one_wrong_slot {
  using format = rows<std::int64_t>;
  using key = no_key;
  using reduce = slots<sum<std::int64_t>, subtraction>;
  void map(const row<std::int64_t>& r, auto& emit) const {
    emit(slot<0>, r[0]);
    emit(slot<1>, r[0]);
  }
};

TEST_CASE("verify: a broken law in one slot") {
  const auto checks = verify(one_wrong_slot{}, some_rows<std::int64_t>(1, 0));
  CHECK(broken_laws(checks) == list{"slot 1 associative", "slot 1 commutative"});
}

// Each of these maps or formats breaks a promise.

/// Emits the number of calls so far, which is not a part of the record.
struct numbered_words : word_counts {
  std::uint64_t* seen = nullptr;
  void map(byte_view word, auto& emit) const { emit(word, ++*seen); }
};

/// The first call emits twice.
struct forgetful_words : word_counts {
  std::uint64_t* seen = nullptr;
  void map(byte_view word, auto& emit) const {
    emit(word, 1);
    if (++*seen == 1) emit(word, 1);
  }
};

TEST_CASE("verify: a map with hidden state") {
  {
    std::uint64_t seen = 0;
    const auto checks = verify(numbered_words{{}, &seen}, text_input("one two three"));
    CHECK_FALSE(check_of(checks, "pure map").holds());
    CHECK_THAT(check_of(checks, "pure map").counterexample,
               contains("in text at 0, emit 1: (\"one\", 1) the first time, (\"one\", 4) the second"));
  }
  std::uint64_t seen = 0;
  CHECK_FALSE(check_of(verify(forgetful_words{{}, &seen}, some_words()), "pure map").holds());
}

struct many_members : word_counts {
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;
  double cpu_seconds(std::uint64_t /*units*/, unsigned /*workers*/) const { return 1; }
  double gpu_seconds(std::uint64_t /*units*/) const { return 1; }
  std::uint64_t finish(byte_view /*word*/, std::uint64_t count) const { return count; }
};

TEST_CASE("verify: the members that are read are listed") {
  CHECK(check_of(verify(many_members{}, some_words()), "members read").found ==
        "format, key, reduce, map, records, finish, max_emits_per_record, keys_within_record, cpu_seconds, "
        "gpu_seconds");
  CHECK(check_of(verify(word_counts{}, some_words()), "members read").found ==
        "format, key, reduce, map, records");
}

struct few_keys {
  using format = words;
  using key = dense;
  using reduce = sum<std::uint64_t>;
  static std::uint64_t key_count() { return 4; }
  void map(byte_view word, auto& emit) const { emit(word.size, 1); }
};

TEST_CASE("verify: dense keys out of range") {
  CHECK(broken_laws(verify(few_keys{}, text_input("one two"))).empty());
  const auto checks = verify(few_keys{}, text_input("one three"));
  CHECK(broken_laws(checks) == list{"keys below key_count()"});
  CHECK(check_of(checks, "keys below key_count()").counterexample ==
        "in text at 0, record at 4: the key 5 is not below key_count(), 4");
}

/// A user's format that wrongly says that a record starts at every position.
struct careless_lines : lines {
  [[nodiscard]] std::uint64_t first_start(byte_view /*source*/, std::uint64_t from,
                                          std::uint64_t /*limit*/) const {
    return from;
  }
};

struct line_counts {
  using format = careless_lines;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  void map(const line& l, auto& emit) const { emit(l.text, 1); }
};

TEST_CASE("verify: a record format that depends on where it is cut") {
  const auto checks = verify(line_counts{}, text_input("one line that is cut in the middle\n"));
  CHECK(broken_laws(checks) == list{"independent of cuts"});
  CHECK_THAT(check_of(checks, "independent of cuts").counterexample, contains("cut at "));
}

struct by_score {
  bool operator()(const scored<std::int64_t>& a, const scored<std::int64_t>& b) const {
    return a.score > b.score;
  }
};

struct ranked_rows {
  using format = rows<std::int64_t>;
  using key = no_key;
  using reduce = top_k<scored<std::int64_t>, by_score>;
  reduce reduction() const { return {.k = 3}; }
  void map(const row<std::int64_t>& r, auto& emit) const { emit({r[0], r.index}); }
};

TEST_CASE("verify: an order that does not rank ties") {
  const auto checks = verify(ranked_rows{}, some_rows<std::int64_t>(1, 0, 3));
  CHECK(broken_laws(checks) == list{"ranking"});
  CHECK_THAT(check_of(checks, "ranking").counterexample, contains("not exactly one of them is better"));
  // verify() must also find equal scores in records that are never neighbours.
  std::string apart;
  for (const std::int64_t value : {1, 2, 1, 3, 1, 4})
    apart.append(reinterpret_cast<const char*>(&value), sizeof value);
  CHECK(broken_laws(verify(ranked_rows{}, text_input(apart))) == list{"ranking"});
}

struct not_worse {
  bool operator()(std::int64_t a, std::int64_t b) const { return a >= b; }
};

struct rows_not_worse {
  using format = rows<std::int64_t>;
  using key = no_key;
  using reduce = top_k<std::int64_t, not_worse>;
  reduce reduction() const { return {.k = 3}; }
  void map(const row<std::int64_t>& r, auto& emit) const { emit(r[0]); }
};

TEST_CASE("verify: an order that says less or equal") {
  const auto checks = verify(rows_not_worse{}, some_rows<std::int64_t>(1, 0, 3));
  CHECK_THAT(check_of(checks, "ranking").counterexample, contains("are the same but one is better"));
}

TEST_CASE("verify: the same seed draws the same values") {
  const input numbers = some_rows<std::int64_t>(1, 0);
  const auto once = verify(overall<subtraction>{}, numbers, {.seed = 7});
  const auto again = verify(overall<subtraction>{}, numbers, {.seed = 7});
  CHECK(check_of(once, "associative").counterexample == check_of(again, "associative").counterexample);
}

}  // namespace
}  // namespace duomap::test::core_verify_verify_test
