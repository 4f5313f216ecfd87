// Tests the note of a run without any emit: it shows the first record.
#include "core/nothing_emitted.hpp"

#include "core/record/fields.hpp"
#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap::test::core_nothing_emitted_test {
namespace {

/// Emits only the text "wanted".
template <class Format>
struct wanted {
  using format = Format;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  void map(const typename Format::record& record, auto& emit) const {
    if constexpr (requires { record.text; }) {
      if (record.text.text() == "wanted") emit(record.text, 1);
    }
  }
};

struct no_rows {
  using format = rows<float>;
  using key = std::uint32_t;
  using reduce = sum<std::uint64_t>;
  [[nodiscard]] rows<float> records() const { return {.width = 2}; }
  void map(const row<float>& /*record*/, auto& /*emit*/) const {}
};

std::string note_of(const auto& task, const input& from) {
  run_report report;
  static_cast<void>(run(task, from, {.device = device_choice::cpu, .report = &report}));
  const auto found = std::ranges::find_if(
      report.notes, [](const std::string& note) { return note.starts_with("no record emitted anything"); });
  return found == report.notes.end() ? "" : *found;
}

TEST_CASE("nothing emitted: the note shows the first record") {
  CHECK(note_of(wanted<lines>{}, text_input("one\ntwo\n", "t.txt")) ==
        "no record emitted anything; the first of 't.txt' is \"one\"");
  CHECK(note_of(wanted<lines>{}, text_input("wanted\r\nwanted\r\n", "t.txt")) ==
        "no record emitted anything; the first of 't.txt' is \"wanted\\x0d\", with the carriage return of "
        "lines that "
        "end with CR LF");
  CHECK(note_of(wanted<lines>{}, text_input(std::string(100, 'x'), "t.txt")) ==
        "no record emitted anything; the first of 't.txt' is \"" + std::string(60, 'x') + "...\"");
  CHECK(note_of(wanted<lines>{}, text_input("\x1B[31m\xC3\xA9", "t.txt")) ==
        "no record emitted anything; the first of 't.txt' is \"\\x1b[31m\\xc3\\xa9\"");
  CHECK(note_of(wanted<words>{}, text_input("  two words", "t.txt")) ==
        "no record emitted anything; the first of 't.txt' is \"two\"");
  const std::vector<float> numbers = {1.5F, 2, 3, 4};
  const input rows_of_two = view_input({reinterpret_cast<const char*>(numbers.data()), 16}, "points.bin");
  CHECK(note_of(no_rows{}, rows_of_two) ==
        "no record emitted anything; the first of 'points.bin' is (1.5, 2)");
}

TEST_CASE("nothing emitted: no note where something was emitted, or nothing was read") {
  CHECK(note_of(wanted<lines>{}, text_input("one\nwanted\n")).empty());
  CHECK(note_of(wanted<lines>{}, text_input("")).empty());
}

}  // namespace
}  // namespace duomap::test::core_nothing_emitted_test
