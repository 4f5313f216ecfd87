// What naive Bayes learned: how often each category of each attribute occurs in each class.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap {

/// What a field means that is empty or a question mark.
enum class missing_values {
  category,  ///< a category like any other
  ignore,    ///< nothing: it is not counted, and says nothing of the class of its row
};

/// A column that says something of the class.
struct naive_bayes_attribute {
  std::uint32_t column = 0;             ///< counts from 0
  std::string name;                     ///< the header's, else the column's number, which counts from 1
  std::vector<std::string> categories;  ///< those of the training set, in byte order
  /// rows[category * number of classes + class].
  std::vector<std::uint64_t> rows;
  /// For each class the sum over all categories: its rows, without those whose value is missing.
  std::vector<std::uint64_t> rows_of_class;
};

/// Counts of a training set; probabilities are computed from them. Laplace's (additive) smoothing: a category
/// that occurs in n of the N rows of a class counts as n + alpha of N + alpha K, K the number of categories
/// of its attribute (Manning, Raghavan & Schuetze, Introduction to Information Retrieval, section 13.2).
struct naive_bayes_model {
  double alpha = 1;  ///< > 0
  missing_values missing = missing_values::category;

  // The table that it is about.
  char delimiter = ',';
  bool has_header = false;
  std::uint32_t columns = 0;
  std::uint32_t label = 0;  ///< the label's column, counts from 0
  std::string label_name;

  std::vector<std::string> classes;               ///< in byte order
  std::vector<std::uint64_t> rows_of_class;       ///< for each class, at least 1
  std::vector<naive_bayes_attribute> attributes;  ///< by column

  /// Rows of the training set.
  [[nodiscard]] std::uint64_t rows() const;
  /// For each class the natural logarithm of its share among all rows.
  [[nodiscard]] std::vector<double> log_priors() const;
  /// Natural logarithm of the probability of a category in a class.
  [[nodiscard]] double log_likelihood(const naive_bayes_attribute& attribute, std::size_t category,
                                      std::size_t of_class) const;
};

/// The model as JSON text: version 1, counts and not probabilities, one category a line.
/// @throws usage_error when a name, class or category is not UTF-8, which JSON cannot hold
[[nodiscard]] std::string to_json(const naive_bayes_model& model);

/// The model that to_json() wrote. `name` is what messages call the text.
/// @throws input_error when it is not such a text, of another version, or its numbers contradict each other
[[nodiscard]] naive_bayes_model naive_bayes_model_from_json(std::string_view text, const std::string& name);

}  // namespace duomap
