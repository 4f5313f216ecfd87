// Binary input that ends within a row.
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
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
  CHECK((found.present(0) ? found[0] : 0) == whole * 2 * 0x61616161);
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
  CHECK(found.present(0));
  CHECK(report.notes == std::vector<std::string>{"the last 3 bytes of '" + path +
                                                 "' are no whole row of 8 bytes: not mapped"});
  std::remove(path.c_str());
}

}  // namespace duomap::test::facade_cut_rows_test
