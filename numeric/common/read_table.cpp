// Recognises a file's format, reads the file, and takes labels from another file.
#include "numeric/common/read_table.hpp"

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/common/array_values.hpp"
#include "numeric/common/decimal.hpp"
#include "numeric/common/delimited_table.hpp"
#include "numeric/common/file_format.hpp"
#include "numeric/common/idx_header.hpp"
#include "numeric/common/libsvm_text.hpp"
#include "numeric/common/npy_header.hpp"
#include "numeric/common/number_labels.hpp"
#include "numeric/common/whole_input.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace duomap {
namespace {

/// Refuses options that have no meaning for the format, because they must be mistakes.
void refuse_options(data_format format, const table_options& options, const std::string& name) {
  const auto refuse = [&](const char* what) {
    throw usage_error(std::string(what) + " has no meaning for " + name + ", which is " +
                      (format == data_format::delimited ? "delimited text"
                       : format == data_format::libsvm  ? "LIBSVM text"
                       : format == data_format::npy     ? "a NumPy array"
                                                        : "an IDX file") +
                      "; leave the option out, or give the file's format");
  };
  const bool binary = format == data_format::npy || format == data_format::idx;
  if (!binary && !options.labels_path.empty()) refuse("a file of labels");
  if (format != data_format::delimited) {
    if (!options.label.empty()) refuse("a column of labels");
    if (!options.columns.empty() || !options.leave_out.empty()) refuse("a choice of columns");
    if (options.delimiter) refuse("a delimiter");
    if (options.header) refuse("a header");
    if (options.symbols != symbol_columns::error) refuse("a way to read symbols");
  }
}

/// Reads labels from a separate file, one in each row, and removes the labels of dropped rows.
void read_labels(table_metadata& table, const table_options& options, std::uint64_t rows,
                 const std::vector<std::uint64_t>& dropped) {
  table_options of_labels;
  of_labels.threads = options.threads;
  of_labels.control = options.control;
  of_labels.content = options.content;
  labelled_table<double> labels;
  const whole_input file(options.labels_path, options.control, options.content);
  if (format_of_file(file.bytes(), options.labels_path) == data_format::delimited) {
    of_labels.label = "1";
    labels = read_table<double>(options.labels_path, of_labels);
    table.classes = std::move(labels.classes);
    table.label_of_row = std::move(labels.label_of_row);
  } else {
    labels = read_table<double>(options.labels_path, of_labels);
    if (labels.values.columns() != 1) {
      throw input_error(file.name() + " has " + std::to_string(labels.values.columns()) +
                        " numbers a row and can be no labels; give a file with one a row");
    }
    label_by_numbers(table, labels.values.view().values());
  }
  if (table.label_of_row.size() != rows + dropped.size()) {
    throw input_error(file.name() + " has " + std::to_string(table.label_of_row.size()) + " labels for " +
                      std::to_string(rows + dropped.size()) + " rows; give the labels of these rows");
  }
  if (!dropped.empty()) leave_out_rows(table, dropped);
  if (table.growth.empty()) table.growth = labels.growth;
}

template <class T>
labelled_table<T> read_array(whole_input file, data_format format, const table_options& options,
                             worker_pool& pool) {
  const array_header header = format == data_format::npy ? parse_npy_header(file.bytes(), file.name())
                                                         : parse_idx_header(file.bytes(), file.name());
  array_values<T> array = take_array<T>(std::move(file), header, options, pool);
  labelled_table<T> table;
  table.values = std::move(array.values);
  table.growth = std::move(array.growth);
  table.loss = std::move(array.loss);
  table.loss_column = "column " + std::to_string(table.loss.first + 1);
  table.integers = header.type.kind != number_kind::floating;
  table.dropped.count = array.dropped.size();
  if (!array.dropped.empty()) {
    table.dropped.first =
        "row " + std::to_string(array.dropped.front()) + " (the first is 0): it has NaN or infinity";
  }
  if (!options.labels_path.empty()) read_labels(table, options, table.values.rows(), array.dropped);
  return table;
}

}  // namespace

template <class T>
labelled_table<T> read_table(const std::string& path, const table_options& options) {
  whole_input file(path, options.control, options.content);
  const data_format format = options.format.value_or(format_of_file(file.bytes(), path));
  refuse_options(format, options, file.name());
  const auto pool = cpu::machine_pool(options.threads, view_input(file.bytes()));
  switch (format) {
    case data_format::npy:
    case data_format::idx:
      return read_array<T>(std::move(file), format, options, *pool);
    case data_format::libsvm:
    case data_format::delimited:
      break;
  }
  labelled_table<T> table =
      format == data_format::libsvm
          ? dense_table(parse_libsvm<T>(file.bytes(), file.name(), options, *pool), file.name())
          : read_delimited<T>(file.bytes(), file.name(), options, *pool);
  table.growth = file.change();
  return table;
}

template labelled_table<float> read_table(const std::string& path, const table_options& options);
template labelled_table<double> read_table(const std::string& path, const table_options& options);

}  // namespace duomap
