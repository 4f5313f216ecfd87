// Tests core/verify/same_value.hpp and value_text.hpp: how verify() compares and shows the values of a
// reduction (numbers, structs, rounding).
#include "core/record/rows.hpp"
#include "core/reduce_fields.hpp"
#include "core/text_place.hpp"
#include "core/verify/verify.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::core_verify_verify_values_test {
namespace {

/// The counterexamples of the broken laws.
std::vector<std::string> broken(const std::vector<law_check>& checks) {
  std::vector<std::string> found;
  for (const law_check& check : checks) {
    if (!check.holds()) found.push_back(check.law + ": " + check.counterexample);
  }
  return found;
}

struct sums {
  double sum;
  double squares[2];
  std::uint64_t count;
};

struct summed_fields {
  using format = rows<double>;
  using key = no_key;
  using reduce = sum_fields<&sums::sum, &sums::squares, &sums::count>;
  void map(const row<double>& r, auto& emit) const { emit({r[0], {r[0] * r[0], 1 / r[0]}, 1}); }
};

struct mean_and_count {
  double mean;
  std::uint64_t count;
};

struct add_means {
  using value_type = mean_and_count;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  bool weighted = true;
  mean_and_count operator()(const mean_and_count& a, const mean_and_count& b) const {
    const double part =
        weighted ? static_cast<double>(b.count) / static_cast<double>(a.count + b.count) : 0.5;
    return {a.mean + (b.mean - a.mean) * part, a.count + b.count};
  }
};

struct means {
  using format = rows<double>;
  using key = no_key;
  using reduce = add_means;
  add_means how{};
  reduce reduction() const { return how; }
  void map(const row<double>& r, auto& emit) const { emit({r[0], 1}); }
};

TEST_CASE("verify: sums of structs differ in their last bits, as sums of numbers do") {
  auto random = std::mt19937_64(seed());
  std::uniform_real_distribution<double> any(0.1, 1000);
  std::string numbers;
  for (int i = 0; i < 3000; ++i) {
    const double number = any(random);
    numbers.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  const input from = text_input(numbers);
  CHECK(broken(verify(summed_fields{}, from)).empty());
  CHECK(broken(verify(means{}, from)).empty());
  const auto found = broken(verify(means{{.weighted = false}}, from));
  REQUIRE(found.size() == 1);
  CHECK_THAT(found.front(), contains("associative: a = {") && contains(".c = {"));
}

TEST_CASE("a struct has fields where none is an array") {
  struct nine {
    int a, b, c, d, e, f, g, h, i;
  };
  struct array_first {
    int a[3];
    int b;
  };
  struct array_last {
    int a;
    double b[2];
  };
  struct of_structs {
    mean_and_count a;
    std::array<char, 4> b;
    scored<double> c;
  };
  STATIC_REQUIRE(has_fields<mean_and_count>);
  STATIC_REQUIRE(has_fields<of_structs>);
  STATIC_REQUIRE(has_fields<text_place>);
  STATIC_REQUIRE_FALSE(has_fields<nine>);
  STATIC_REQUIRE_FALSE(has_fields<array_first>);
  STATIC_REQUIRE_FALSE(has_fields<array_last>);
  STATIC_REQUIRE_FALSE(has_fields<sums>);
  STATIC_REQUIRE_FALSE(has_fields<byte_view>);
  STATIC_REQUIRE_FALSE(has_fields<double>);
}

TEST_CASE("values as text") {
  CHECK(value_text(byte_view(std::string_view("word"))) == "\"word\"");
  CHECK(value_text(std::uint64_t{18'446'744'073'709'551'615u}) == "18446744073709551615");
  CHECK(value_text(-0.1) == "-0.1");
  CHECK(value_text(scored<std::int32_t>{-3, 17}) == "-3 at 17");
  struct pair {
    std::uint16_t a, b;
  };
  CHECK(value_text(pair{258, 772}) == "{258, 772}");
  struct with_number_and_array {
    std::uint16_t a;
    std::int64_t b[1];
  };
  CHECK(value_text(with_number_and_array{1, {-3}}) == "{1, {-3}}");
  struct with_array {
    std::uint16_t a[2];
  };
  CHECK(value_text(with_array{{0x0102, 0x0304}}) == "0x02010403");
}

}  // namespace
}  // namespace duomap::test::core_verify_verify_values_test
