// Reads the beginning of a table of categories, and finds its first malformed line.
#include "numeric/naivebayes/category_table.hpp"

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"
#include "core/record/lines.hpp"
#include "core/report.hpp"
#include "core/text/count.hpp"
#include "core/text/find_byte.hpp"
#include "cpu/cpu_backend.hpp"
#include "numeric/common/delimited_line.hpp"
#include "numeric/common/shown_text.hpp"
#include "scheduler/run.hpp"

#include <algorithm>
#include <charconv>
#include <memory>

namespace duomap {
namespace {

/// Returns the end of the second line that ends behind `from`, so that the text before has a header and a
/// row. Returns text.size if there are fewer lines.
std::uint64_t second_end(byte_view text, std::uint64_t from) {
  const std::uint64_t first = find_byte(text, '\n', from);
  return std::min(text.size, find_byte(text, '\n', first + 1) + 1);
}

/// The first lines of a source, about `bytes` bytes.
std::string beginning_of(const source& whole, std::uint64_t bytes) {
  if (whole.addressable()) return std::string(whole.bytes().sub(0, second_end(whole.bytes(), bytes)).text());
  const auto stream = whole.open();
  std::string text;
  while (true) {
    constexpr std::uint64_t step = 64 << 10;
    const std::size_t before = text.size();
    text.resize(before + step);
    const std::uint64_t more = stream->read(text.data() + before, step);
    text.resize(before + more);
    const std::uint64_t end = second_end(text, bytes);
    if (more > 0 && end == text.size()) continue;
    text.resize(end);
    return text;
  }
}

template <class Use>
void for_each_line(const std::string& text, const Use& use) {
  lines{}.for_each_record(chunk{text.data(), text.size(), 0, 0},
                          [&](const line& one) { use(without_return(one.text), one.offset); });
}

std::string place_of(const source& in, std::uint64_t line) {
  return quoted(in.name()) + ", line " + std::to_string(line) + ": ";
}

constexpr const char* cure = "; correct it, or have such rows dropped (--bad-rows drop)";

std::string quote_problem(std::uint64_t column, byte_view row) {
  return "column " + std::to_string(column) + ": a quote does not end in " + shown(row) +
         ", or something follows it; a field holds no line break: take it out, or have such rows dropped "
         "(--bad-rows drop)";
}

std::string count_problem(std::uint64_t fields, byte_view row, const std::string& other,
                          std::uint64_t wanted) {
  return std::to_string(fields) + (fields == 1 ? " field in " : " fields in ") + shown(row) + ", where " +
         other + " has " + std::to_string(wanted);
}

/// The categories of one line.
/// @throws input_error, beginning with `place`, when quotes of the line do not fit
std::vector<std::string> texts_of(byte_view row, char delimiter, const std::string& place) {
  std::vector<std::string> found;
  category_fields fields(row, delimiter);
  while (fields.more()) {
    category_field field;
    if (!fields.next(field)) throw input_error(place + quote_problem(found.size() + 1, row));
    std::string text(field.text.size, '\0');
    text.resize(field.write(text.data()));
    found.push_back(std::move(text));
  }
  return found;
}

struct malformed_row {
  std::uint64_t offset;
  std::uint64_t fields;
  std::uint32_t source;
  bool quotes_fit;
};

struct earlier_row {
  [[nodiscard]] bool operator()(const malformed_row& a, const malformed_row& b) const {
    return a.source != b.source ? a.source < b.source : a.offset < b.offset;
  }
};

struct find_malformed {
  using format = lines;
  using key = no_key;
  using reduce = top_k<malformed_row, earlier_row>;

  category_columns columns;

  [[nodiscard]] static reduce reduction() { return {.k = 1}; }
  void map(const line& record, auto& emit) const {
    const byte_view row = without_return(record.text);
    if (category_field label; !columns.is_row(row, record.offset) || columns.fits(row, label)) return;
    category_fields fields(row, columns.delimiter);
    malformed_row found{record.offset, 0, record.source, true};
    for (category_field field; fields.more() && found.quotes_fit; ++found.fields)
      found.quotes_fit = fields.next(field);
    emit(found);
  }
};

struct numbered_line {
  std::uint64_t number = 1;
  std::string text;  ///< the beginning of the line, for a message
};

numbered_line line_at(const source& in, std::uint64_t offset) {
  constexpr std::uint64_t most_shown = 100;
  numbered_line found;
  const auto cut = [&] {
    const byte_view rest(found.text.data(), found.text.size());
    found.text.resize(without_return(rest.sub(0, find_byte(rest, '\n', 0))).size);
    return found;
  };
  if (in.addressable()) {
    const byte_view all = in.bytes();
    found.number += count_byte(all.sub(0, offset), '\n');
    found.text = all.sub(offset, std::min(most_shown, all.size - offset)).text();
    return cut();
  }
  const auto stream = in.open();
  std::string buffer(1 << 20, '\0');
  while (found.text.size() < most_shown) {
    const std::uint64_t more = stream->read(buffer.data(), buffer.size());
    if (more == 0) break;
    const std::uint64_t before = std::min(more, offset);
    found.number += count_byte(byte_view{buffer.data(), before}, '\n');
    found.text.append(buffer, before, std::min(more - before, most_shown - found.text.size()));
    offset -= before;
  }
  return cut();
}

}  // namespace

table_beginning read_beginning(const input& table, std::optional<char> delimiter, bool has_header) {
  table_beginning found;
  std::vector<std::string> header;
  std::string header_of;
  for (std::size_t i = 0; i < table.size() && (found.names.empty() || has_header); ++i) {
    // Once a source has given the first row, only the headers of later sources are checked.
    std::string text = beginning_of(table[i], found.names.empty() ? table_beginning::sample_bytes : 1);
    std::uint64_t number = 0;
    bool is_sample = false;
    for_each_line(text, [&](byte_view row, std::uint64_t offset) {
      ++number;
      const bool is_header = has_header && offset == 0;
      if (!found.names.empty() && !is_header) return;
      category_columns columns;
      columns.delimiter = delimiter.value_or(',');
      if (!is_header && !columns.is_row(row, 1)) return;
      if (!delimiter) delimiter = find_delimiter(row).value_or(',');
      const auto texts = texts_of(row, *delimiter, place_of(table[i], number));
      if (is_header && header.empty()) {
        header = texts;
        header_of = table[i].name();
      } else if (is_header && header != texts) {
        throw input_error(place_of(table[i], number) + "the header " + shown(row) +
                          " is another than that of " + duomap::quoted(header_of) +
                          "; give files of one kind, or leave out --header");
      } else if (!is_header) {
        if (has_header && texts.size() != header.size()) {
          throw input_error(place_of(table[i], number) +
                            count_problem(texts.size(), row, "the header", header.size()) + "; correct it");
        }
        found.names.resize(texts.size());
        for (std::size_t column = 0; column < texts.size(); ++column)
          found.names[column] = has_header ? header[column] : std::to_string(column + 1);
        is_sample = true;
      }
    });
    if (is_sample) found.text = std::move(text);
  }
  if (found.names.empty()) {
    throw input_error((table.size() == 1 ? quoted(table[0].name()) + " has" : "the files of the table have") +
                      " no rows");
  }
  if (found.names.size() > 65'000) {
    throw input_error("the first row has " + std::to_string(found.names.size()) +
                      " fields; a table of categories has at most 65,000 (is the delimiter right?)");
  }
  found.delimiter = *delimiter;
  return found;
}

std::uint32_t find_column(const std::vector<std::string>& names, const std::string& wanted,
                          const std::string& option) {
  if (const auto named = std::find(names.begin(), names.end(), wanted); named != names.end())
    return static_cast<std::uint32_t>(named - names.begin());
  if (wanted == "last") return static_cast<std::uint32_t>(names.size() - 1);
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (problem == std::errc() && end == wanted.data() + wanted.size() && number >= 1 && number <= names.size())
    return number - 1;
  throw usage_error(option + " is '" + wanted + "', which is no column: give a number from 1 to " +
                    std::to_string(names.size()) + ", a name of the header (with --header), or last");
}

std::string first_malformed(const input& table, const category_columns& columns, worker_pool& pool) {
  const find_malformed task{columns};
  const std::vector<std::shared_ptr<backend<find_malformed>>> backends{
      std::make_shared<cpu::cpu_backend<find_malformed>>(task, pool)};
  run_report report;
  std::string text;
  scheduler::run(task, table, backends, pool, nullptr, report)
      .for_each([&](std::uint64_t, const malformed_row& one) {
        const source& in = table[one.source];
        const numbered_line bad = line_at(in, one.offset);
        const byte_view row(bad.text.data(), bad.text.size());
        text = place_of(in, bad.number);
        if (!one.quotes_fit) {
          text += quote_problem(one.fields, row);
        } else if (one.fields != columns.roles.size) {
          text += count_problem(one.fields, row, "the first row", columns.roles.size) + cure;
        } else {
          text += "a class and a category have more than " + std::to_string(category_columns::most_bytes) +
                  " bytes together in " + shown(row) + cure;
        }
      });
  return text;
}

}  // namespace duomap
