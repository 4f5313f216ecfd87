// Counts the lines of all chunks, converts the chunks into one table, and merges labels and symbols.
#include "numeric/common/delimited_table.hpp"

#include "core/error.hpp"
#include "core/text/find_byte.hpp"
#include "numeric/common/delimited_layout.hpp"
#include "numeric/common/delimited_rows.hpp"
#include "numeric/common/ranges.hpp"
#include "numeric/common/text_chunks.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <span>
#include <utility>

namespace duomap {
namespace {

/// A chunk of text, and the place of its first line in the whole text.
struct placed_chunk {
  byte_view text;
  std::uint64_t lines = 0;  ///< of this chunk; after add_up(), of all earlier chunks
  std::uint64_t rows = 0;   ///< lines that are not blank: of this chunk, or of all earlier chunks
};

void count_lines(placed_chunk& chunk, char delimiter) {
  for (std::uint64_t at = 0; at < chunk.text.size;) {
    const std::uint64_t end = find_byte(chunk.text, '\n', at);
    ++chunk.lines;
    if (!is_blank_line(chunk.text.sub(at, end - at), delimiter)) ++chunk.rows;
    at = end + 1;
  }
}

/// Reads in two passes. The first pass counts lines, at the speed of memory. So the second pass knows the
/// matrix row where each chunk begins, and converts numbers into their final places.
template <class T>
class delimited_reader {
 public:
  delimited_reader(byte_view text, const std::string& name, const table_options& options, worker_pool& pool)
    : name_(name), options_(options), pool_(pool), layout_(find_layout(text, name, options)) {
    if (layout_.values() == 0 && !has_label()) {
      throw usage_error("no column of " + name + " is left to be read; leave out fewer");
    }
    for (const byte_view chunk : text_chunks(text, layout_.rows_begin)) chunks_.push_back({chunk});
  }

  labelled_table<T> read() {
    const std::uint64_t rows = place_chunks();
    values_ = matrix<T>(rows, layout_.values(), "the table of " + name_);
    table_.label_of_row.resize(has_label() ? rows : 0);
    convert();
    merge_labels();
    merge_symbols();
    close_gaps();
    if (table_.dropped.count > 0 && has_label()) leave_out_unused_classes(table_);
    name_columns();
    find_loss();
    table_.values = std::move(values_);
    return std::move(table_);
  }

 private:
  /// The advice about a bad row. `is_first`: no line comes before the row, not even a header.
  [[nodiscard]] std::string advice_for(row_fault fault, bool is_first) const {
    const bool all = options_.advice == table_advice::all;
    std::string cure = "; correct it";
    switch (fault) {
      case row_fault::not_a_number:
        if (all) {
          cure = is_first && layout_.names.empty()
                     ? "; if this line names the columns, give --header yes; otherwise correct it"
                     : "; correct it";
          cure += ", leave the column out (--leave-out), give its texts numbers (--symbols encode)";
        }
        break;
      case row_fault::other_delimiter:
        if (all) cure = "; give the delimiter (--delimiter), leave the column out (--leave-out), correct it";
        break;
      case row_fault::quote:
        cure = "; a field holds no line break: take it out";
        break;
      case row_fault::field_count:
        if (all) cure = "; correct it, give the delimiter if it is another one (--delimiter)";
        break;
      default:
        break;
    }
    return cure +
           (options_.advice == table_advice::none ? "" : ", or have such rows dropped (--bad-rows drop)");
  }

  [[nodiscard]] bool has_label() const {
    return std::count(layout_.uses.begin(), layout_.uses.end(), column_use::label) > 0;
  }

  /// Counts lines; returns the most rows that the text can have.
  std::uint64_t place_chunks() {
    for_each_range(pool_, chunks_.size(), 1, options_.control, [&](std::uint64_t index, std::uint64_t) {
      count_lines(chunks_[index], layout_.delimiter);
    });
    std::uint64_t lines = 0;
    std::uint64_t rows = 0;
    for (placed_chunk& chunk : chunks_) {
      lines += std::exchange(chunk.lines, lines);
      rows += std::exchange(chunk.rows, rows);
    }
    return rows;
  }

  void convert() {
    const row_converter<T> converter(layout_, options_);
    converted_.resize(chunks_.size());
    // Chunks after the first one with an error need no conversion.
    std::atomic<std::uint64_t> first_error{chunks_.size()};
    for_each_range(pool_, chunks_.size(), 1, options_.control, [&](std::uint64_t index, std::uint64_t) {
      if (index > first_error.load(std::memory_order_relaxed)) return;
      converted_rows<T>& into = converted_[index];
      into.values = values_.data() + chunks_[index].rows * values_.columns();
      if (has_label()) into.labels = table_.label_of_row.data() + chunks_[index].rows;
      into.room =
          (index + 1 < chunks_.size() ? chunks_[index + 1].rows : values_.rows()) - chunks_[index].rows;
      if (!converter.convert(chunks_[index].text, into)) {
        throw input_error(name_ +
                          " was rewritten while it was being read: its lines are not those that were "
                          "counted; leave inputs alone during a run, and run again");
      }
      if (into.bad == 0 || options_.rows == bad_rows::drop) return;
      atomic_min(first_error, index);
    });
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      table_.dropped.count += converted_[i].bad;
      if (!converted_[i].first_problem || !table_.dropped.first.empty()) continue;
      const row_problem& problem = *converted_[i].first_problem;
      table_.dropped.first = "line " + std::to_string(layout_.first_line + chunks_[i].lines + problem.line) +
                             ": " + problem.what;
      if (options_.rows == bad_rows::error) {
        throw input_error(name_ + ", " + table_.dropped.first +
                          advice_for(problem.fault, i == 0 && problem.line == 0));
      }
    }
  }

  void merge_labels() {
    if (!has_label()) return;
    std::vector<const text_dictionary*> parts;
    for (const converted_rows<T>& part : converted_) parts.push_back(&part.classes);
    table_.classes = merged_texts(parts);
    const text_indices class_indices = indices_of(table_.classes);
    for_each_range(pool_, chunks_.size(), 1, options_.control, [&](std::uint64_t index, std::uint64_t) {
      const converted_rows<T>& part = converted_[index];
      const std::vector<std::uint32_t> indices = indices_in(class_indices, part.classes);
      for (std::uint32_t& label : std::span(part.labels, part.rows)) label = indices[label];
    });
  }

  /// Gives each text of a symbolic column the same number in all chunks.
  void merge_symbols() {
    if (!options_.known_symbols.empty()) {
      table_.symbols = options_.known_symbols;
      return;
    }
    std::uint64_t column = 0;
    std::uint64_t symbol = 0;
    for (std::size_t field = 0; field < layout_.uses.size(); ++field) {
      if (layout_.uses[field] == column_use::symbol) {
        table_.symbols.resize(layout_.values());
        merge_symbol(field, symbol++, column);
      }
      if (layout_.uses[field] == column_use::symbol || layout_.uses[field] == column_use::number) ++column;
    }
  }

  void merge_symbol(std::size_t field, std::uint64_t symbol, std::uint64_t column) {
    std::vector<const text_dictionary*> parts;
    for (converted_rows<T>& part : converted_) {
      if (part.symbols.size() <= symbol) part.symbols.resize(symbol + 1);
      parts.push_back(&part.symbols[symbol]);
    }
    std::vector<std::string>& texts = table_.symbols[column];
    texts = merged_texts(parts);
    constexpr std::uint64_t most = std::uint64_t{1} << std::numeric_limits<T>::digits;
    if (texts.size() > most) {
      throw input_error(name_ + ", " + layout_.column(field) + ": it has " + std::to_string(texts.size()) +
                        " different texts, more than the numbers' type can tell apart; leave it out");
    }
    const text_indices symbol_indices = indices_of(texts);
    for_each_range(pool_, chunks_.size(), 1, options_.control, [&](std::uint64_t index, std::uint64_t) {
      const converted_rows<T>& part = converted_[index];
      const std::vector<std::uint32_t> indices = indices_in(symbol_indices, part.symbols[symbol]);
      for (std::uint64_t row = 0; row < part.rows; ++row) {
        T& value = part.values[row * values_.columns() + column];
        if (value == value) value = static_cast<T>(indices[static_cast<std::size_t>(value)]);
      }
    });
  }

  /// Moves rows into the places of dropped rows.
  void close_gaps() {
    std::uint64_t kept = 0;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const std::uint64_t from = chunks_[i].rows;
      const std::uint64_t count = converted_[i].rows;
      if (from != kept) {
        std::copy_n(values_.data() + from * values_.columns(), count * values_.columns(),
                    values_.data() + kept * values_.columns());
        if (has_label()) {
          std::copy_n(table_.label_of_row.data() + from, count, table_.label_of_row.data() + kept);
        }
      }
      kept += count;
    }
    if (kept == 0) {
      throw input_error("no row of " + name_ + " is left: " + std::to_string(table_.dropped.count) +
                        " were dropped, the first for " + table_.dropped.first);
    }
    values_.keep_rows(kept);
    if (has_label()) table_.label_of_row.resize(kept);
  }

  void name_columns() {
    for (std::size_t i = 0; i < layout_.names.size(); ++i) {
      if (layout_.uses[i] == column_use::number || layout_.uses[i] == column_use::symbol) {
        table_.column_names.push_back(layout_.names[i]);
      }
    }
  }

  void find_loss() {
    float32_loss_check watch;
    for (const converted_rows<T>& part : converted_) watch.add(part.watch);
    table_.loss = watch.loss();
    std::uint64_t column = 0;
    for (std::size_t field = 0; field < layout_.uses.size(); ++field) {
      if (layout_.uses[field] != column_use::number && layout_.uses[field] != column_use::symbol) continue;
      if (column++ == table_.loss.first) table_.loss_column = layout_.column(field);
    }
  }

  const std::string& name_;
  const table_options& options_;
  worker_pool& pool_;
  delimited_layout layout_;
  std::vector<placed_chunk> chunks_;
  std::vector<converted_rows<T>> converted_;
  matrix<T> values_;
  labelled_table<T> table_;
};

}  // namespace

template <class T>
labelled_table<T> read_delimited(byte_view text, const std::string& name, const table_options& options,
                                 worker_pool& pool) {
  return delimited_reader<T>(text, name, options, pool).read();
}

template labelled_table<float> read_delimited(byte_view text, const std::string& name,
                                              const table_options& options, worker_pool& pool);
template labelled_table<double> read_delimited(byte_view text, const std::string& name,
                                               const table_options& options, worker_pool& pool);

}  // namespace duomap
