// Keeps the model of naive Bayes: how often each category of each attribute occurs in each class.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap {

/// The meaning of an empty field, or of a question mark.
enum class missing_values {
  category,  ///< a category like any other
  ignore,    ///< no value: it is not counted, and tells nothing about the class of its row
};

/// A column from which the class is predicted.
struct naivebayes_attribute {
  std::uint32_t column = 0;             ///< counts from 0
  std::string name;                     ///< the header's, or the column's number, which counts from 1
  std::vector<std::string> categories;  ///< of the training set, in byte order
  /// The number of rows of each category and class: rows[category * number of classes + class].
  std::vector<std::uint64_t> rows;
  /// For each class, the sum of `rows` over all categories. Rows with an ignored missing value are not in it.
  std::vector<std::uint64_t> rows_of_class;
};

/// The counts of a training set, from which probabilities are computed with Laplace's (additive) smoothing: a
/// category that occurs in n of the N rows of a class counts as n + alpha of N + alpha K, where K is the
/// number of categories of its attribute (Manning, Raghavan & Schuetze, Introduction to Information
/// Retrieval, section 13.2).
struct naivebayes_model {
  double alpha = 1;  ///< > 0
  missing_values missing = missing_values::category;

  // The layout of the table.
  char delimiter = ',';
  bool has_header = false;
  std::uint32_t columns = 0;
  std::uint32_t label = 0;  ///< the label's column, counts from 0
  std::string label_name;

  std::vector<std::string> classes;              ///< in byte order
  std::vector<std::uint64_t> rows_of_class;      ///< for each class, at least 1
  std::vector<naivebayes_attribute> attributes;  ///< by column

  /// The number of rows in the training set.
  [[nodiscard]] std::uint64_t rows() const;
  /// For each class, the natural logarithm of its share of all rows.
  [[nodiscard]] std::vector<double> log_priors() const;
  /// The natural logarithm of the probability of a category in a class.
  [[nodiscard]] double log_likelihood(const naivebayes_attribute& attribute, std::size_t category,
                                      std::size_t of_class) const;
};

/// Writes the model as JSON text, version 1: counts instead of probabilities, one category in each line.
/// @throws usage_error when a name, class or category is not UTF-8, which JSON cannot hold
[[nodiscard]] std::string to_json(const naivebayes_model& model);

/// Reads the text of to_json(). `name`: the text's name in messages.
/// @throws input_error when the text is no model, has another version, or has numbers that contradict each
/// other
[[nodiscard]] naivebayes_model naivebayes_model_from_json(std::string_view text, const std::string& name);

}  // namespace duomap
