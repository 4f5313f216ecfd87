// Tests core/record/words.hpp, lines.hpp, fields.hpp and markup.hpp: wherever a text is cut, each record
// comes once and in order.
#include "core/boundary.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/slice.hpp"
#include "core/record/fields.hpp"
#include "core/record/lines.hpp"
#include "core/record/markup.hpp"
#include "core/record/words.hpp"
#include "core/text/letter_case.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/oracle.hpp"
#include "tests/support/inputs.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace duomap::test::core_record_text_records_test {
namespace {

/// Writes everything that is known about a record as a text.
std::string described(byte_view word) { return std::string(word.text()); }
std::string described(const line& l) {
  return std::to_string(l.source) + ":" + std::to_string(l.offset) + ":" + std::string(l.text.text());
}
std::string described(const field_list& record) {
  std::string text = described(record.whole());
  record.for_each([&](std::uint64_t index, byte_view field) {
    text += "|" + std::to_string(index) + "=" + std::string(field.text());
  });
  return text;
}
std::string described(const markup_fragment& fragment) {
  return described(line{fragment.text, fragment.offset, fragment.source});
}

template <class Format>
void append(std::vector<std::string>& records, const Format& format, const chunk& part) {
  format.for_each_record(
      part, [&](const typename Format::record& record) { records.push_back(described(record)); });
}

template <class Format>
std::vector<std::string> expected_records(const Format& format, const std::string& text,
                                          std::uint32_t source) {
  std::vector<std::string> records;
  for_each_record(format, text, source, [&](const auto& record) { records.push_back(described(record)); });
  return records;
}

template <class Format>
void check_cuts(const Format& format, char newline = '\n') {
  auto random = std::mt19937_64(seed());
  const format_boundary<Format> cuts(format);
  for (sample one : boundary_texts(random)) {
    for (std::string& text : one.parts) std::replace(text.begin(), text.end(), '\n', newline);
    INFO(one.name);
    const input from = make_input(one);
    for (std::uint32_t i = 0; i < from.size(); ++i) {
      const source& whole = from[i];
      const auto expected = expected_records(format, one.parts[i], i);
      for (std::uint64_t grain = 1; grain <= whole.units() + 1; grain += 1 + grain / 8) {
        INFO("source " << i << ", grain " << grain);
        std::vector<std::string> records;
        std::uint64_t end = 0;
        bool tiles = true;
        for (std::uint64_t at = 0; at < whole.units(); at += grain) {
          const auto part = slice(whole, i, at, std::min(at + grain, whole.units()), cuts);
          if (!part) continue;
          tiles = tiles && part->offset >= end && part->size > 0;
          end = part->offset + part->size;
          append(records, format, *part);
        }
        CHECK(tiles);
        CHECK(records == expected);
      }
      for (const std::uint64_t target : {1u, 2u, 5u, 64u, 1000u, 100'000u}) {
        INFO("source " << i << ", blocks of " << target);
        block_reader reader(std::make_unique<text_stream>(one.parts[i], 7), cuts, target);
        block held;
        std::vector<std::string> records;
        while (reader.next(held)) append(records, format, held.records(i));
        CHECK(records == expected);
      }
    }
  }
}

/// first_start() must not read at or behind `limit`, and last_start() must not read behind the block.
template <class Format>
void check_looks_no_further(const Format& format) {
  // The bytes before the limit start no record. The nearest start of a record is behind the limit.
  const std::string text = std::string(10, 'x') + "\n<, \n";
  for (std::uint64_t limit = 1; limit <= 10; ++limit) {
    CHECK(format.first_start(std::string_view(text), 1, limit) == limit);
    CHECK(format.last_start(std::string_view(text).substr(0, limit)) == 0);
  }
}

TEST_CASE("words: cut anywhere") { check_cuts(words{}); }
TEST_CASE("lines: cut anywhere") { check_cuts(lines{}); }
TEST_CASE("fields: cut anywhere") { check_cuts(fields{.delimiter = ','}); }

TEST_CASE("markup: cut anywhere") { check_cuts(markup{}, '<'); }

TEST_CASE("markup: a fragment knows what follows it in its chunk") {
  const std::string text = "before<a href='<'>x<";
  const std::vector<std::string> expected = {"before", "a href='", "'>x"};
  for (const std::uint64_t begin : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{16}}) {
    const chunk part{text.data() + begin, text.size() - begin, begin, 3};
    std::size_t next = begin == 0 ? 0 : begin == 7 ? 1 : 2;
    markup{}.for_each_record(part, [&](const markup_fragment& fragment) {
      CHECK(fragment.begins_chunk == (fragment.offset == begin));
      CHECK(fragment.text.text() == expected.at(next++));
      CHECK(fragment.rest.text() == std::string_view(text).substr(fragment.offset));
      CHECK(fragment.source == 3);
    });
    CHECK(next == expected.size());
  }
}

TEST_CASE("text formats look no further than they may") {
  check_looks_no_further(words{});
  check_looks_no_further(lines{});
  check_looks_no_further(fields{});
  check_looks_no_further(markup{});
}

TEST_CASE("words: what belongs to a word") {
  for (int c = 0; c < 256; ++c) {
    const std::string text = {'a', static_cast<char>(c), 'b'};
    INFO("byte " << c);
    CHECK(expected_records(words{}, text, 0).size() == (words::is_word_byte(static_cast<char>(c)) ? 1u : 2u));
  }
  CHECK(words::is_word_byte('\''));
  CHECK(words::is_word_byte('\x80'));
  CHECK_FALSE(words::is_word_byte('_'));
  CHECK_FALSE(words::is_word_byte('-'));
}

TEST_CASE("words: only ASCII capital letters become small") {
  for (int c = 0; c < 256; ++c) {
    const char as_is = static_cast<char>(c);
    CHECK(to_lower_ascii(as_is) == (c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : as_is));
  }
}

std::vector<std::string> records_of(const lines& format, const std::string& text) {
  std::vector<std::string> found;
  format.for_each_record(chunk{text.data(), text.size(), 0, 0},
                         [&](const line& l) { found.emplace_back(l.text.text()); });
  return found;
}

TEST_CASE("lines: carriage returns, empty lines and the last line") {
  using list = std::vector<std::string>;
  CHECK(records_of(lines{}, "").empty());
  CHECK(records_of(lines{}, "\n") == list{""});
  CHECK(records_of(lines{}, "a\r\nb\r\n") == list{"a\r", "b\r"});
  CHECK(records_of(lines{}, "a\n\n\nb") == list{"a", "", "", "b"});
  CHECK(records_of(lines{}, "a\n") == list{"a"});
}

TEST_CASE("fields: quoted, cut anywhere") { check_cuts(fields{.delimiter = ',', .quote = '"'}); }

TEST_CASE("fields: between quotes") {
  const auto fields_of = [](const std::string& text) {
    std::string found;
    const field_list record =
        fields{.delimiter = ',', .quote = '"'}.fields_of({std::string_view(text), 0, 0});
    record.for_each([&](std::uint64_t index, byte_view field) {
      found += (index > 0 ? " | " : "") + std::string(field.text());
      byte_view same;
      CHECK(record.get(index, same));
      CHECK(same.text() == field.text());
    });
    byte_view none;
    CHECK_FALSE(record.get(100, none));
    return found;
  };
  CHECK(fields_of("a,\"b,c\",d") == "a | b,c | d");
  CHECK(fields_of("\"\",\"a\"") == " | a");
  CHECK(fields_of("\"say \"\"no\"\"\",x") == "say \"\"no\"\" | x");
  CHECK(fields_of("\"\"\"\"") == "\"\"");
  CHECK(fields_of("a \"b\",c") == "a \"b\" | c");  // the second field does not begin with a quote
  CHECK(fields_of("\"a\"b,c") == "\"a\"b | c");    // the first field does not end with a quote
  CHECK(fields_of("\"a,b") == "a,b");              // the quote is never closed
  CHECK(fields_of("a,\"") == "a | ");
  CHECK(fields_of("a,\"b\"\r") == "a | b");
  CHECK(fields_of("\r") == "");
  CHECK(fields_of("") == "");
}

TEST_CASE("fields: all of them and one of them") {
  const auto fields_of = [](const std::string& text) {
    std::vector<std::string> found;
    field_list({std::string_view(text), 0, 0}, ';').for_each([&](std::uint64_t index, byte_view field) {
      CHECK(index == found.size());
      found.emplace_back(field.text());
    });
    return found;
  };
  using list = std::vector<std::string>;
  for (const auto& [text, expected] : std::vector<std::pair<std::string, list>>{{"", {""}},
                                                                                {"a", {"a"}},
                                                                                {";", {"", ""}},
                                                                                {"a;b", {"a", "b"}},
                                                                                {"a;;b;", {"a", "", "b", ""}},
                                                                                {";;\r", {"", "", "\r"}}}) {
    INFO(text);
    CHECK(fields_of(text) == expected);
    for (std::uint64_t i = 0; i < expected.size() + 2; ++i) {
      byte_view field(std::string_view("untouched"));
      const bool there = field_list({std::string_view(text), 0, 0}, ';').get(i, field);
      CHECK(there == (i < expected.size()));
      CHECK(field.text() == (there ? expected[i] : "untouched"));
    }
    // Fields are read in random order, some of them repeatedly.
    auto random = std::mt19937_64(seed());
    const field_list record({std::string_view(text), 0, 0}, ';');
    for (int times = 0; times < 50; ++times) {
      const std::uint64_t i = random() % (expected.size() + 2);
      byte_view field(std::string_view("untouched"));
      const bool there = record.get(i, field);
      INFO("field " << i);
      CHECK(there == (i < expected.size()));
      CHECK(field.text() == (there ? expected[i] : "untouched"));
    }
  }
}

}  // namespace
}  // namespace duomap::test::core_record_text_records_test
