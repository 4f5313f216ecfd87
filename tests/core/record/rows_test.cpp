// Tests rows and index ranges: wherever they are cut, each record comes once, with its index.
#include "core/record/rows.hpp"

#include "core/boundary.hpp"
#include "core/error.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/slice.hpp"
#include "core/record/index_range.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/oracle.hpp"
#include "tests/support/inputs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::test::core_record_rows_test {
namespace {

/// The values of one row, and its index.
template <class T>
std::vector<std::uint64_t> described(const row<T>& r) {
  std::vector<std::uint64_t> all = {r.index};
  for (std::uint32_t i = 0; i < r.width; ++i) all.push_back(static_cast<std::uint64_t>(r[i]));
  return all;
}

template <class T>
void check_cuts(const rows<T>& format) {
  auto random = std::mt19937_64(seed());
  const format_boundary<rows<T>> cuts(format);
  for (const sample& one : boundary_rows<T>(random, format.width, format.header_bytes)) {
    INFO(one.name << ", width " << format.width << ", header " << format.header_bytes);
    const input from = make_input(one);
    for (std::uint32_t i = 0; i < from.size(); ++i) {
      std::vector<std::vector<std::uint64_t>> expected, records;
      const auto add = [&](const chunk& part) {
        format.for_each_record(part, [&](const row<T>& r) { records.push_back(described(r)); });
      };
      for_each_record(format, one.parts[i], i, [&](const row<T>& r) { expected.push_back(described(r)); });
      for (std::uint64_t grain = 1; grain <= from[i].units() + 1; grain += 1 + grain / 8) {
        INFO("source " << i << ", grain " << grain);
        records.clear();
        for (std::uint64_t at = 0; at < from[i].units(); at += grain) {
          if (const auto part = slice(from[i], i, at, std::min(at + grain, from[i].units()), cuts))
            add(*part);
        }
        CHECK(records == expected);
      }
      for (const std::uint64_t target : {1u, 7u, 64u, 1000u}) {
        INFO("source " << i << ", blocks of " << target);
        records.clear();
        block_reader reader(std::make_unique<text_stream>(one.parts[i], 7), cuts, target);
        block held;
        while (reader.next(held)) add(held.records(i));
        CHECK(records == expected);
      }
    }
  }
}

TEST_CASE("rows: cut anywhere") {
  check_cuts(rows<unsigned char>{});
  check_cuts(rows<std::uint16_t>{.width = 3});
  check_cuts(rows<std::uint64_t>{.width = 2});
}

TEST_CASE("rows: cut anywhere, behind a header") {
  check_cuts(rows<unsigned char>{.width = 5, .header_bytes = 1});
  check_cuts(rows<std::uint32_t>{.width = 1, .header_bytes = 4});
  check_cuts(rows<std::uint64_t>{.width = 2, .header_bytes = 128});
}

TEST_CASE("rows: wider than a grain") {
  const rows<double> wide{.width = 20'000};
  CHECK(wide.grain() >= wide.row_bytes());
  CHECK(wide.grain() % wide.row_bytes() == 0);
  const rows<double> narrow{.width = 3};
  CHECK(narrow.grain() % narrow.row_bytes() == 0);
  const rows<float> tiles{.width = 3, .rows_per_grain = 100};
  CHECK(tiles.grain() == (torture ? 2 : 100) * tiles.row_bytes());
}

TEST_CASE("index ranges: cut anywhere") {
  for (const std::uint64_t per_grain : {1u, 3u, 1024u}) {
    const index_range format{.indices_per_grain = per_grain};
    const format_boundary<index_range> cuts(format);
    for (const sample& one : boundary_ranges(300)) {
      const input from = make_input(one);
      for (std::uint64_t grain = 1; grain <= one.indices + 1; ++grain) {
        std::vector<std::uint64_t> seen;
        for (std::uint64_t at = 0; at < one.indices; at += grain) {
          if (const auto part = slice(from[0], 0, at, std::min(at + grain, one.indices), cuts)) {
            format.for_each_record(*part, [&](std::uint64_t index) { seen.push_back(index); });
          }
        }
        bool right = seen.size() == one.indices;
        for (std::uint64_t i = 0; i < seen.size(); ++i) right = right && seen[i] == i;
        INFO(one.name << ", grain " << grain);
        CHECK(right);
      }
    }
  }
}

TEST_CASE("rows: a width of 0 is refused") { CHECK_THROWS_AS(rows<float>{.width = 0}.grain(), usage_error); }

TEST_CASE("index ranges: indices beyond 32 bits") {
  const index_range format;
  const format_boundary<index_range> cuts(format);
  const input from = index_input(std::uint64_t{1} << 40);
  const std::uint64_t begin = (std::uint64_t{1} << 40) - 2;
  const auto part = slice(from[0], 0, begin, begin + 2, cuts);
  REQUIRE(part.has_value());
  std::vector<std::uint64_t> seen;
  format.for_each_record(*part, [&](std::uint64_t index) { seen.push_back(index); });
  CHECK(seen == std::vector<std::uint64_t>{begin, begin + 1});
}

}  // namespace
}  // namespace duomap::test::core_record_rows_test
