// Tests core/verify/promises.hpp: verify() shows a record for which a task breaks a promise about its emits.
#include "core/verify/promises.hpp"

#include "core/verify/verify.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/laws.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::core_verify_promises_test {
namespace {

using list = std::vector<std::string>;

/// Emits three times, but promises at most one emit.
struct three_times : word_counts {
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;
  void map(byte_view word, auto& emit) const {
    const std::uint64_t times = word[0] == '9' ? 3 : 1;
    for (std::uint64_t i = 0; i < times; ++i) emit(word, 1);
  }
};

/// The map emits a key that is not within the record, but promises otherwise.
struct fixed_key : word_counts {
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr bool keys_within_record = true;
  void map(byte_view word, auto& emit) const { emit(word[0] == '9' ? byte_view("nine") : word, 1); }
};

TEST_CASE("verify: promises of emits") {
  const input some = text_input("one 9th two");
  {
    const auto checks = verify(three_times{}, some);
    CHECK(broken_laws(checks) == list{"max_emits_per_record"});
    CHECK(check_of(checks, "max_emits_per_record").counterexample ==
          "in text at 0, record at 4: map emits 3 times, max_emits_per_record is 1");
    CHECK(check_of(checks, "keys_within_record").trials >= 5);
  }
  {
    const auto checks = verify(fixed_key{}, some);
    CHECK(broken_laws(checks) == list{"keys_within_record"});
    CHECK(check_of(checks, "keys_within_record").counterexample ==
          "in text at 0, record at 4: the key \"nine\" is not bytes of its record");
  }
  CHECK(broken_laws(verify(three_times{}, text_input("one two"))).empty());
}

/// Promises keys of at most one byte more than the word.
struct longer_keys : word_counts {
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr std::uint64_t max_extra_key_bytes = 1;
  void map(byte_view word, auto& emit) const {
    const std::string made = std::string(word.text()) + (word[0] == '9' ? "--" : "-");
    emit(byte_view(made), 1);
  }
};

TEST_CASE("verify: keys that are longer than promised") {
  const auto checks = verify(longer_keys{}, text_input("one 9th two"));
  CHECK(broken_laws(checks) == list{"max_extra_key_bytes"});
  CHECK(
      check_of(checks, "max_extra_key_bytes").counterexample ==
      "in text at 0, record at 4: the key \"9th--\" has 5 bytes, and its record 3; max_extra_key_bytes is 1");
  CHECK(broken_laws(verify(longer_keys{}, text_input("one two"))).empty());
}

}  // namespace
}  // namespace duomap::test::core_verify_promises_test
