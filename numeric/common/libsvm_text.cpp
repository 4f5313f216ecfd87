// Parses lines of LIBSVM text, and joins the rows of all chunks.
#include "numeric/common/libsvm_text.hpp"

#include "core/error.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/number.hpp"
#include "numeric/common/decimal.hpp"
#include "numeric/common/number_labels.hpp"
#include "numeric/common/odd_number.hpp"
#include "numeric/common/ranges.hpp"
#include "numeric/common/shown_text.hpp"
#include "numeric/common/text_chunks.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace duomap {
namespace {

/// The largest value of an int in LIBSVM.
constexpr std::uint64_t largest_index = std::numeric_limits<std::int32_t>::max();

/// The rows in one chunk of lines.
template <class T>
struct chunk_rows {
  std::vector<double> labels;
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint32_t> index_of;  ///< each number's index in the text
  std::vector<T> values;
  std::uint64_t largest_index = 0;
  bool has_index_zero = false;
  float32_loss_check watch;  ///< by index in the text; used if T is float
  std::uint64_t lines = 0;
  std::uint64_t bad = 0;
  std::string first_problem;
  std::uint64_t first_problem_line = 0;  ///< line in the chunk, counted from 0

  void add(std::uint64_t index, T value) {
    index_of.push_back(static_cast<std::uint32_t>(index));
    values.push_back(value);
  }
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Finds the next run of bytes that are not spaces; false at the end of the line.
bool next_token(byte_view line, std::uint64_t& at, byte_view& token) {
  while (at < line.size && is_space(line[at])) ++at;
  const std::uint64_t begin = at;
  while (at < line.size && !is_space(line[at])) ++at;
  token = line.sub(begin, at - begin);
  return !token.empty();
}

/// Reads a whole text as a number; returns its problem, or nothing.
template <class T>
std::string number_in(byte_view text, bool any, T& number) {
  const decimal<T> read = whole_decimal<T>(text);
  number = read.value;
  if (read.status == decimal_status::none) return shown(text) + " is not a number";
  return number_problem(read, text, any);
}

/// The largest index that the options allow in a row.
std::uint64_t most_index(const table_options& options) {
  if (!options.at_most_features || options.features == 0) return largest_index;
  return std::min(options.features - 1 + options.first_index.value_or(1), largest_index);
}

template <class T>
std::string read_feature(byte_view token, const table_options& options, bool is_first,
                         std::uint64_t& last_index, chunk_rows<T>& into) {
  const parsed<std::uint64_t> index = parse_integer<std::uint64_t>(token);
  if (index.status == parse_status::no_number || index.used == token.size || token[index.used] != ':') {
    return token.text().starts_with("qid:")
               ? shown(token) + " is a group of rows for ranking, which is not done here"
               : shown(token) + " is not INDEX:VALUE";
  }
  const auto shown_index = [&] {
    return "index " + std::string(token.sub(0, std::min<std::uint64_t>(index.used, 40)).text());
  };
  if (index.status == parse_status::out_of_range || index.value > largest_index) {
    return shown_index() + " is above " + std::to_string(largest_index);
  }
  if (index.value == 0 && options.first_index.value_or(0) == 1) {
    return "index 0, where indices count from 1: so do those of the file before, whose rows have no index 0";
  }
  if (index.value == 0 ? !is_first : index.value <= last_index) {
    return shown_index() + " stands behind index " + std::to_string(last_index) + "; indices must ascend";
  }
  if (index.value > most_index(options)) {
    return shown_index() + " is above " + std::to_string(most_index(options)) + ", the last of " +
           std::to_string(options.features) + " features";
  }
  T value;
  std::string problem =
      number_in(token.sub(index.used + 1, token.size - index.used - 1), options.allow_non_finite, value);
  if (!problem.empty()) return shown_index() + ": " + problem;
  last_index = index.value;
  into.add(last_index, value);
  if constexpr (std::is_same_v<T, float>) {
    into.watch.add(last_index,
                   whole_decimal<double>(token.sub(index.used + 1, token.size - index.used - 1)).value);
  }
  return {};
}

/// Reads features of the usual form, "12:0.25" and a space. Stops at the first feature of another form, which
/// read_feature() then accepts or refuses. Reading each byte only once takes 0.4 of read_feature()'s time.
template <class T>
void read_plain_features(byte_view line, const table_options& options, std::uint64_t& at,
                         std::uint64_t& last_index, chunk_rows<T>& into) {
  const std::uint64_t most = most_index(options);
  const char* const end = line.end();
  for (const char* next = line.data + at;;) {
    while (next != end && is_space(*next)) ++next;
    std::uint64_t index = 0;
    // Stops after 11 digits, because no index has as many.
    for (const char* const first = next; next != end && next - first <= 10; ++next) {
      const unsigned digit = static_cast<unsigned>(static_cast<unsigned char>(*next)) - '0';
      if (digit > 9) break;
      index = index * 10 + digit;
    }
    if (next == end || *next != ':' || index <= last_index || index > most) return;
    ++next;
    T value = 0;
    const char* const number = next;
    if (!read_short_decimal(next, end, value) || (next != end && !is_space(*next))) return;
    last_index = index;
    into.add(index, value);
    if constexpr (std::is_same_v<T, float>) {
      double exact = 0;
      const char* again = number;
      if (read_short_decimal(again, end, exact)) into.watch.add(index, exact);
    }
    at = static_cast<std::uint64_t>(next - line.data);
  }
}

/// Adds the line's row; returns its problem, or nothing. A blank line is no row.
template <class T>
std::string read_row(byte_view line, const table_options& options, const row_head& head,
                     chunk_rows<T>& into) {
  line = line.sub(0, find_byte(line, '#'));
  std::uint64_t at = 0;
  byte_view token;
  if (!next_token(line, at, token)) return {};
  const std::size_t labels_before = into.labels.size();
  const std::size_t before = into.values.size();
  std::string problem;
  for (std::uint64_t number = 0; problem.empty() && number < head.numbers; ++number) {
    double label = 0;
    if (number > 0) next_token(line, at, token);
    if (problem = number_in(token, false, label); !problem.empty())
      problem = std::string("the ") + head.name + " " + problem;
    into.labels.push_back(label);
  }
  std::uint64_t last_index = 0;
  while (problem.empty()) {
    read_plain_features(line, options, at, last_index, into);
    if (!next_token(line, at, token)) break;
    problem = read_feature(token, options, into.values.size() == before, last_index, into);
  }
  if (!problem.empty()) {
    into.labels.resize(labels_before);
    into.values.resize(before);
    into.index_of.resize(before);
    return problem;
  }
  into.largest_index = std::max(into.largest_index, last_index);
  if (into.values.size() > before && into.index_of[before] == 0) into.has_index_zero = true;
  into.sizes.push_back(into.values.size() - before);
  return {};
}

template <class T>
void read_rows(byte_view chunk, const table_options& options, const row_head& head, chunk_rows<T>& into) {
  // Reserves room for all features: memory that grows step by step is touched and copied three times.
  const auto features = std::min(static_cast<std::size_t>(std::count(chunk.begin(), chunk.end(), ':')),
                                 static_cast<std::size_t>(chunk.size / 4 + 1));
  into.index_of.reserve(features);
  into.values.reserve(features);
  for (std::uint64_t at = 0; at < chunk.size; ++into.lines) {
    const std::uint64_t end = find_byte(chunk, '\n', at);
    std::string problem = read_row(chunk.sub(at, end - at), options, head, into);
    at = end + 1;
    if (problem.empty()) continue;
    if (into.bad++ == 0) {
      into.first_problem = std::move(problem);
      into.first_problem_line = into.lines;
    }
    if (options.rows == bad_rows::error) return;
  }
}

/// Joins the rows of all chunks in order.
template <class T>
sparse_table<T> joined(std::vector<chunk_rows<T>>& parts, const table_options& options,
                       std::uint64_t labels_of_row, worker_pool& pool) {
  sparse_table<T> table;
  std::vector<std::uint64_t> first_row;
  std::vector<std::uint64_t> first_value;
  std::uint64_t rows = 0;
  std::uint64_t values = 0;
  const bool from_zero =
      std::any_of(parts.begin(), parts.end(), [](const chunk_rows<T>& part) { return part.has_index_zero; });
  table.first_index = options.first_index.value_or(from_zero ? 0 : 1);
  table.values.columns = options.features;
  float32_loss_check watch;
  for (const chunk_rows<T>& part : parts) {
    watch.add(part.watch);
    first_row.push_back(rows);
    first_value.push_back(values);
    rows += part.sizes.size();
    values += part.values.size();
    table.values.columns = std::max(table.values.columns, part.largest_index + 1 - table.first_index);
  }
  watch.add_zeros(rows);
  table.loss = watch.loss();
  table.labels.resize(rows * labels_of_row);
  table.values.row_start.resize(rows + 1);
  table.values.column_of.resize(values);
  table.values.values.resize(values);
  pool.for_each_index(parts.size(), [&](std::uint64_t index) {
    chunk_rows<T>& part = parts[index];
    const auto label = static_cast<std::ptrdiff_t>(first_row[index] * labels_of_row);
    const auto value = static_cast<std::ptrdiff_t>(first_value[index]);
    std::copy(part.labels.begin(), part.labels.end(), table.labels.begin() + label);
    std::transform(
        part.index_of.begin(), part.index_of.end(), table.values.column_of.begin() + value,
        [first = static_cast<std::uint32_t>(table.first_index)](std::uint32_t one) { return one - first; });
    std::copy(part.values.begin(), part.values.end(), table.values.values.begin() + value);
    std::uint64_t end = first_value[index];
    for (std::size_t i = 0; i < part.sizes.size(); ++i) {
      end += part.sizes[i];
      table.values.row_start[first_row[index] + i + 1] = end;
    }
    part = {};
  });
  return table;
}

}  // namespace

template <class T>
sparse_table<T> parse_libsvm_part(byte_view part_of_text, const std::string& name,
                                  const table_options& options, const row_head& head, std::uint64_t& lines,
                                  worker_pool& pool) {
  const std::vector<byte_view> chunks = text_chunks(part_of_text, 0);
  std::vector<chunk_rows<T>> parts(chunks.size());
  std::atomic<std::uint64_t> first_error{chunks.size()};
  for_each_range(pool, chunks.size(), 1, options.control, [&](std::uint64_t index, std::uint64_t) {
    if (index > first_error.load(std::memory_order_relaxed)) return;
    read_rows(chunks[index], options, head, parts[index]);
    if (parts[index].bad == 0 || options.rows == bad_rows::drop) return;
    atomic_min(first_error, index);
  });
  dropped_rows dropped;
  for (const chunk_rows<T>& part : parts) {
    if (part.bad > 0 && dropped.count == 0) {
      dropped.first =
          "line " + std::to_string(lines + part.first_problem_line + 1) + ": " + part.first_problem;
      if (options.rows == bad_rows::error) {
        const char* const cure = options.advice == table_advice::none
                                     ? "; correct it"
                                     : "; correct it, or have such rows dropped (--bad-rows drop)";
        throw input_error(name + ", " + dropped.first + (head.advice != nullptr ? head.advice : cure));
      }
    }
    dropped.count += part.bad;
    lines += part.lines;
  }
  sparse_table<T> table = joined(parts, options, head.numbers, pool);
  table.dropped = std::move(dropped);
  return table;
}

template <class T>
sparse_table<T> parse_libsvm(byte_view text, const std::string& name, const table_options& options,
                             worker_pool& pool) {
  std::uint64_t lines = 0;
  sparse_table<T> table = parse_libsvm_part<T>(text, name, options, {}, lines, pool);
  if (table.labels.empty()) {
    throw input_error(table.dropped.count == 0
                          ? name + " has no row: it is empty; give a file with numbers"
                          : "no row of " + name + " is left: " + std::to_string(table.dropped.count) +
                                " were dropped, the first for " + table.dropped.first);
  }
  return table;
}

template <class T>
labelled_table<T> dense_table(const sparse_table<T>& sparse, const std::string& name) {
  const sparse_matrix<T>& from = sparse.values;
  matrix<T> values(from.rows(), from.columns, "the table of " + name);
  for (std::uint64_t row = 0; row < from.rows(); ++row) {
    const std::span<T> place = values.row(row);
    for (std::uint64_t k = from.row_start[row]; k < from.row_start[row + 1]; ++k) {
      place[from.column_of[k]] = from.values[k];
    }
  }
  labelled_table<T> table;
  table.values = std::move(values);
  table.dropped = sparse.dropped;
  table.loss = sparse.loss;
  table.loss_column = "index " + std::to_string(sparse.loss.first);
  table.first_index = sparse.first_index;
  label_by_numbers(table, sparse.labels);
  return table;
}

template sparse_table<float> parse_libsvm(byte_view text, const std::string& name,
                                          const table_options& options, worker_pool& pool);
template sparse_table<double> parse_libsvm(byte_view text, const std::string& name,
                                           const table_options& options, worker_pool& pool);
template sparse_table<float> parse_libsvm_part(byte_view part, const std::string& name,
                                               const table_options& options, const row_head& head,
                                               std::uint64_t& lines, worker_pool& pool);
template sparse_table<double> parse_libsvm_part(byte_view part, const std::string& name,
                                                const table_options& options, const row_head& head,
                                                std::uint64_t& lines, worker_pool& pool);
template labelled_table<float> dense_table(const sparse_table<float>& sparse, const std::string& name);
template labelled_table<double> dense_table(const sparse_table<double>& sparse, const std::string& name);

}  // namespace duomap
