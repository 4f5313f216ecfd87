// Tests binary input that ends within a row.
#include "core/input/compression.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/support/inputs.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap::test::facade_cut_rows_test {
namespace {

struct sum_of_rows {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = sum<std::uint64_t>;

  std::uint64_t header = 0;

  [[nodiscard]] format records() const { return {.width = 2, .header_bytes = header}; }
  void map(const format::record& one, auto& emit) const { emit(std::uint64_t{one[0]} + one[1]); }
};

std::vector<std::string> notes_of(const std::vector<std::string>& texts, std::uint64_t header) {
  std::vector<std::unique_ptr<source>> sources;
  for (const std::string& text : texts)
    sources.push_back(std::make_unique<text_source>(text, "source " + std::to_string(sources.size())));
  run_report report;
  sequential caller;
  const auto found = run(sum_of_rows{header}, input(std::move(sources)), caller,
                         {.device = device_choice::cpu, .report = &report});
  std::uint64_t whole = 0;
  for (const std::string& text : texts) whole += text.size() > header ? (text.size() - header) / 8 : 0;
  CHECK((found.contains(0) ? found[0] : 0) == whole * 2 * 0x61616161);
  return report.notes;
}

}  // namespace

TEST_CASE("rows that are cut at the end of a source have a note", "[facade]") {
  using all = std::vector<std::string>;
  const auto bytes = [](std::size_t count) {
    return std::string(count, 'a');
  };
  CHECK(notes_of({bytes(800), bytes(0)}, 0).empty());
  CHECK(notes_of({bytes(804)}, 4).empty());
  CHECK(notes_of({bytes(3)}, 4).empty());
  CHECK(notes_of({bytes(801)}, 0) ==
        all{"the last byte of 'source 0' is no whole row of 8 bytes: not mapped"});
  CHECK(notes_of({bytes(16), bytes(807), bytes(7)}, 0) ==
        all{"the last 7 bytes of 'source 1' are no whole row of 8 bytes: not mapped; 1 other source ends "
            "within a row, too"});
}

TEST_CASE("a small file whose last row is cut has a note", "[facade]") {
  const std::string path = "cut_rows.bin";
  std::ofstream(path, std::ios::binary) << "12345678abc";
  run_report report;
  const auto found = run(sum_of_rows{0}, open_input({path}, input_content::records),
                         {.device = device_choice::cpu, .report = &report});
  CHECK(found.contains(0));
  CHECK(report.notes == std::vector<std::string>{"the last 3 bytes of '" + path +
                                                 "' are no whole row of 8 bytes: not mapped"});
  std::remove(path.c_str());
}

#if DUOMAP_HAS_ZLIB

TEST_CASE("a stream whose last row is cut has a note, also a stored one that is called compressed",
          "[facade]") {
  const temporary_folder folder;
  const std::string text = "12345678abc";
  const std::string compressed(
      "\x1f\x8b\x08\0\0\0\0\0\x02\x03\x33\x34\x32\x36\x31\x35\x33\xb7\x48\x4c\x4a\x06\0\xe8\x94\xdd\x3c\x0b\0"
      "\0\0",
      31);
  const std::tuple<const char*, std::string, input_content> cases[] = {
      {"stored.gz", text, input_content::stored},
      {"compressed.gz", compressed, input_content::records},
  };
  for (const auto& [name, stored, content] : cases) {
    const std::string path = folder.write(name, stored);
    run_report report;
    const auto found =
        run(sum_of_rows{0}, open_input({path}, content), {.device = device_choice::cpu, .report = &report});
    CHECK(found.contains(0));
    CHECK(report.notes == std::vector<std::string>{"the last 3 bytes of '" + path +
                                                   "' are no whole row of 8 bytes: not mapped"});
  }
}

#endif

}  // namespace duomap::test::facade_cut_rows_test
