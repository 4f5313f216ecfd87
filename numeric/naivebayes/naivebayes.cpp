// Trains a model from counted categories, and classifies rows with it.
#include "numeric/naivebayes/naivebayes.hpp"

#include "core/path_problem.hpp"
#include "duomap.hpp"
#include "numeric/naivebayes/category_counts.hpp"
#include "numeric/naivebayes/category_table.hpp"
#include "numeric/naivebayes/map_chunk.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace duomap {
namespace {

/// The categories that occur more than once at the beginning of a table. If there are few categories, these
/// are nearly all. Numbers that hardly repeat would only make the dictionary too large for a cache.
category_list known_categories(const table_beginning& beginning, const category_columns& columns) {
  category_list seen;
  category_list known;
  lines{}.for_each_record(chunk{beginning.text.data(), beginning.text.size(), 0, 0}, [&](const line& record) {
    const byte_view row = without_return(record.text);
    category_field label;
    if (!columns.is_row(row, record.offset) || !columns.fits(row, label)) return;
    category_fields fields(row, columns.delimiter);
    for (std::uint32_t column = 0; column < columns.roles.size; ++column) {
      category_field field;
      static_cast<void>(fields.next(field));
      if (columns.roles[column] == column_role::left_out || field.has_doubled_quotes) continue;
      const std::uint32_t before = seen.size();
      if (seen.add(column, field.text) < before && known.size() < category_counts::most_known)
        known.add(column, field.text);
    }
  });
  return known;
}

/// For one category, the number of its rows in each class.
using rows_by_class = std::map<std::string_view, std::uint64_t>;
using rows_by_category = std::map<std::string_view, rows_by_class>;

naivebayes_attribute attribute_of(const rows_by_category& found, const std::vector<std::string>& classes) {
  naivebayes_attribute attribute;
  attribute.rows_of_class.assign(classes.size(), 0);
  for (const auto& [category, rows] : found) {
    attribute.categories.emplace_back(category);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const auto of_class = rows.find(classes[i]);
      attribute.rows.push_back(of_class == rows.end() ? 0 : of_class->second);
      attribute.rows_of_class[i] += attribute.rows.back();
    }
  }
  return attribute;
}

/// The task of classification, on the CPU, with the model's logarithms in arrays.
struct classify_rows {
  using format = lines;
  using key = no_key;

  struct row {
    classified_row found;
    std::uint64_t unknown_values;
  };
  using reduce = collect<row>;

  const naivebayes_model* model;
  category_columns columns;
  category_dictionary classes;     // categories of column 0
  category_dictionary categories;  // categories of their own columns
  const double* log_priors;        // for each class
  const double* log_likelihoods;   // for each category by number, for each class

  void map(const line& record, auto& emit) const {
    const byte_view text = without_return(record.text);
    if (!columns.is_row(text, record.offset)) return;
    row answer{{0, classified_row::no_class, classified_row::no_class}, 0};
    category_field label;
    if (columns.fits(text, label)) classify(text, label, answer);
    emit(answer);
  }

 private:
  [[nodiscard]] static std::uint32_t number_of(const category_dictionary& in, std::uint32_t column,
                                               const category_field& field) {
    if (!field.has_doubled_quotes) return in.find(column, field.text);
    std::string text(field.text.size, '\0');
    text.resize(field.write(text.data()));
    return in.find(column, text);
  }

  void classify(byte_view text, const category_field& label, row& answer) const {
    const std::size_t count = model->classes.size();
    std::vector<double> sums(log_priors, log_priors + count);
    category_fields fields(text, columns.delimiter);
    for (std::uint32_t column = 0; column < columns.roles.size; ++column) {
      category_field field;
      static_cast<void>(fields.next(field));
      if (columns.roles[column] != column_role::attribute || (columns.skip_missing && field.is_missing()))
        continue;
      const std::uint32_t number = number_of(categories, column, field);
      if (number == category_dictionary::none) {
        ++answer.unknown_values;
        continue;
      }
      const double* const terms = log_likelihoods + number * count;
      for (std::size_t i = 0; i < count; ++i) sums[i] += terms[i];
    }
    const auto best = std::max_element(sums.begin(), sums.end());
    // The sum leaves out the best class, whose term is 1: adding 1 would cost the other terms their digits.
    double others = 0;
    for (auto sum = sums.begin(); sum != sums.end(); ++sum)
      others += sum == best ? 0 : std::exp(*sum - *best);
    answer.found.predicted = static_cast<std::uint32_t>(best - sums.begin());
    answer.found.log_probability = -std::log1p(others);
    if (!columns.has_label() || label.is_missing()) return;
    const std::uint32_t number = number_of(classes, 0, label);
    answer.found.label = number == category_dictionary::none ? classified_row::unknown_class : number;
  }
};

}  // namespace

naivebayes_training naivebayes_train(const input& table, worker_pool& pool, const naivebayes_options& options,
                                     const run_options& how) {
  if (!(options.alpha > 0) || !std::isfinite(options.alpha))
    throw usage_error("alpha is " + std::to_string(options.alpha) + "; it must be a number above 0");
  const table_beginning beginning = read_beginning(table, options.delimiter, options.header);
  naivebayes_training training;
  naivebayes_model& model = training.model;
  model.alpha = options.alpha;
  model.missing = options.missing;
  model.delimiter = beginning.delimiter;
  model.has_header = options.header;
  model.columns = static_cast<std::uint32_t>(beginning.names.size());
  model.label = find_column(beginning.names, options.label, "the label's column");
  model.label_name = beginning.names[model.label];
  std::vector<column_role> roles(model.columns, column_role::attribute);
  for (const std::string& name : options.leave_out)
    roles[find_column(beginning.names, name, "a column to leave out")] = column_role::left_out;
  if (roles[model.label] == column_role::left_out)
    throw usage_error("the label's column is '" + model.label_name + "', which is to be left out too");
  roles[model.label] = column_role::label;
  const category_columns columns{{roles.data(), roles.size()},
                                 model.label,
                                 model.delimiter,
                                 model.has_header,
                                 model.missing == missing_values::ignore};

  const category_list known = known_categories(beginning, columns);
  const category_counts task{columns, known.view()};
  const auto counts = run(task, table, pool, how);
  std::vector<rows_by_category> found(model.columns);
  counts.for_each([&](byte_view key, std::uint64_t rows) {
    const category_counts::meaning one = category_counts::meaning_of(key, known);
    switch (one.kind) {
      case category_counts::meaning::malformed:
        training.malformed += rows;
        break;
      case category_counts::meaning::unlabelled:
        training.unlabelled += rows;
        break;
      case category_counts::meaning::counted:
        found[one.column][one.category.text()][one.of_class.text()] += rows;
        break;
    }
  });
  if (training.malformed > 0 && options.rows == bad_rows::error)
    throw input_error(first_malformed(table, columns, pool));
  for (const auto& [name, rows] : found[model.label]) {
    model.classes.emplace_back(name);
    model.rows_of_class.push_back(rows.begin()->second);
  }
  if (model.classes.empty()) throw input_error("no row of the table has a label");
  for (std::uint32_t column = 0; column < model.columns; ++column) {
    if (roles[column] != column_role::attribute) continue;
    model.attributes.push_back(attribute_of(found[column], model.classes));
    model.attributes.back().column = column;
    model.attributes.back().name = beginning.names[column];
  }
  return training;
}

naivebayes_answer naivebayes_classify(const naivebayes_model& model, const input& table, worker_pool& pool,
                                      bad_rows malformed, const run_options& how) {
  const table_beginning beginning = read_beginning(table, model.delimiter, model.has_header);
  const bool has_label = beginning.names.size() != model.columns - 1;
  if (has_label && beginning.names.size() != model.columns) {
    throw input_error(quoted(table[0].name()) + ": the first row has " +
                      std::to_string(beginning.names.size()) + " fields, where the training set had " +
                      std::to_string(model.columns) +
                      " with the label; give the columns of the training set, with the label or without it");
  }
  // Without the label's column, all columns behind it move one to the left.
  const auto place = [&](std::uint32_t column) {
    return has_label || column < model.label ? column : column - 1;
  };
  std::vector<column_role> roles(beginning.names.size(), column_role::left_out);
  if (has_label) roles[model.label] = column_role::label;

  const std::size_t count = model.classes.size();
  category_list classes;
  const std::vector<double> log_priors = model.log_priors();
  for (const std::string& one : model.classes) classes.add(0, one);
  category_list categories;
  std::vector<double> log_likelihoods;
  for (const naivebayes_attribute& attribute : model.attributes) {
    const std::uint32_t column = place(attribute.column);
    roles[column] = column_role::attribute;
    if (model.has_header && beginning.names[column] != attribute.name) {
      throw input_error(quoted(table[0].name()) + ": column " + std::to_string(column + 1) + " is called '" +
                        beginning.names[column] + "', in the training set '" + attribute.name + "'");
    }
    for (std::size_t category = 0; category < attribute.categories.size(); ++category) {
      categories.add(column, attribute.categories[category]);
      for (std::size_t i = 0; i < count; ++i)
        log_likelihoods.push_back(model.log_likelihood(attribute, category, i));
    }
  }
  const category_columns columns{{roles.data(), roles.size()},
                                 has_label ? model.label : static_cast<std::uint32_t>(roles.size()),
                                 model.delimiter,
                                 model.has_header,
                                 model.missing == missing_values::ignore};
  const classify_rows task{
      &model, columns, classes.view(), categories.view(), log_priors.data(), log_likelihoods.data()};
  run_options on_cpu = how;
  on_cpu.device = device_choice::cpu;
  on_cpu.gpu = {};
  on_cpu.share = {};
  const auto found = run(task, table, pool, on_cpu);

  naivebayes_answer answer;
  answer.rows.reserve(found.size());
  found.for_each([&](std::uint64_t, const classify_rows::row& row) {
    const classified_row& one = row.found;
    answer.rows.push_back(one);
    answer.unknown_values += row.unknown_values;
    if (one.predicted == classified_row::no_class) {
      ++answer.malformed;
    } else if (one.label == classified_row::no_class) {
      ++answer.unlabelled;
    } else if (one.label == classified_row::unknown_class) {
      ++answer.unknown_labels;
    } else if (one.label == one.predicted) {
      ++answer.correct;
    }
  });
  if (answer.malformed > 0 && malformed == bad_rows::error)
    throw input_error(first_malformed(table, columns, pool));
  return answer;
}

}  // namespace duomap
