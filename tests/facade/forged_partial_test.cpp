// Tests a run with stored partials that were changed together with their checksums: it gives rows, or an
// error that names the partial.
#include "core/deterministic.hpp"
#include "core/partial/stored/stored_partial.hpp"
#include "core/text_place.hpp"
#include "core/worker_pool.hpp"
#include "duomap.hpp"
#include "scheduler/map_partial.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/support/memory_file.hpp"
#include "tests/support/partial_change.hpp"
#include "tests/support/quick.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::facade_forged_partial_test {
namespace {

const run_options on_cpu{.device = device_choice::cpu, .learn = false};

/// The value has places of texts, and a number that finish() uses as an index.
struct indexed_lines {
  struct found {
    std::array<text_place, 2> texts;
    std::uint32_t index;
    bool odd;
  };
  using format = lines;
  using key = dense;
  using reduce = keep_first<found>;
  static constexpr std::array<std::uint64_t, 3> table = {0, 1, 4};

  [[nodiscard]] static std::uint64_t key_count() { return 3; }
  DUOMAP_HD void map(const line& l, auto& emit) const {
    const std::uint64_t third = l.text.size % 3;
    const byte_view rest = l.text.sub(third, l.text.size - third);
    emit(third, found{{{duomap::place_of(l), duomap::place_of(l, rest)}},
                      static_cast<std::uint32_t>(third),
                      l.text.size % 2 != 0});
  }
  [[nodiscard]] std::uint64_t finish(std::uint64_t index, const found& value) const {
    return table[index] + table[value.index] + (value.odd ? 1 : 0);
  }
  void check_stored(std::uint64_t /*key*/, const found& value, const stored_check& check) const {
    check.index("an index of a table", value.index, table.size());
  }
};

/// The keys are truth values, the values are reproducible floating-point sums.
struct sums_of_parity {
  using format = lines;
  using key = bool;
  using reduce = sum<double>;
  DUOMAP_HD void map(const line& l, auto& emit) const {
    emit(l.text.size % 2 != 0, static_cast<double>(l.text.size) / 3);
  }
};

struct longest_line {
  using format = lines;
  using key = no_key;
  using reduce = longest_text;
  DUOMAP_HD void map(const line& l, auto& emit) const { emit(duomap::place_of(l)); }
};

struct outcome {
  std::uint64_t read = 0;
  std::uint64_t refused = 0;
};

template <class Task>
outcome try_changes(const Task& task, std::mt19937& random) {
  const input whole = text_input("one two\n\nthree four\na word of more than sixteen bytes\ntwo\n");
  sequential pool;
  const auto slices = part_of_input(whole, 0, 1);
  const auto part = map_partial(task, whole, slices, pool, on_cpu);
  const taken_apart good(written([&](byte_sink& to) { write_partial(to, task, part, {"test"}); }));
  const auto rows_of = [&](const std::string& stored) {
    const auto one = select_partials({std::make_shared<partial_reader>(std::string_view(stored), "'forged'")},
                                     task, {"test"});
    auto found = read_partials(one, task, pool);
    std::uint64_t rows = 0;
    finish(task, std::move(found), pool).for_each([&](const auto&, const auto&) { ++rows; });
    return rows;
  };
  CHECK(rows_of(good.put_together()) > 0);
  outcome all;
  for (unsigned i = 0; i < (quick() ? 500U : 5000U); ++i) {
    taken_apart forged = good;
    std::array<std::uint8_t, partial_change::size> bytes;
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    partial_change(bytes.data()).apply(forged);
    try {
      static_cast<void>(rows_of(forged.put_together()));
      ++all.read;
    } catch (const input_error& e) {
      ++all.refused;
      const std::string_view said = e.what();
      const bool names =
          said.find("'forged'") != said.npos || said.find("partials do not cover") != said.npos;
      if (!names) FAIL_CHECK(said);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("a partial that is changed behind its checksums gives rows or an error that names it",
          "[map_partial]") {
  std::mt19937 random(test::seed());
  const auto check = [&](const auto& task) {
    const outcome all = try_changes(task, random);
    CHECK(all.read > 0);
    CHECK(all.refused > 0);
  };
  check(word_counts{});
  check(indexed_lines{});
  check(deterministic{sums_of_parity{}});
  check(lines_by_head{});
  check(lines_by_head{.grouped = true});
}

TEST_CASE("a part has the texts of its places, also when it was stored and its input is gone",
          "[map_partial]") {
  sequential pool;
  std::vector<std::string> files;
  constexpr std::uint64_t parts = 8;
  files.reserve(parts);
  std::vector<std::shared_ptr<const partial_reader>> readers;
  {
    const input whole = text_input("a\nthe longest of all\nlong, but less\nb\nc\nd\ne\nf\n");
    for (std::uint64_t i = 0; i < parts; ++i) {
      const auto part = map_partial(longest_line{}, whole, part_of_input(whole, i, parts), pool, on_cpu);
      files.push_back(written([&](byte_sink& to) { write_partial(to, longest_line{}, part, {"test"}); }));
      readers.push_back(std::make_shared<partial_reader>(std::string_view(files.back()), "stored"));
    }
  }
  const auto all = select_partials(readers, longest_line{}, {"test"});
  const auto found = read_partials(all, longest_line{}, pool);
  REQUIRE(found.values.present(0));
  CHECK(found.texts.size() <= 2);  // at most twice the texts that are needed
  CHECK(*found.texts.find(found.values[0]) == "the longest of all");
}

}  // namespace duomap::test::facade_forged_partial_test
