// Computes probabilities from the counts of a model.
#include "numeric/naivebayes/naivebayes_model.hpp"

#include <cmath>
#include <numeric>

namespace duomap {

std::uint64_t naivebayes_model::rows() const {
  return std::accumulate(rows_of_class.begin(), rows_of_class.end(), std::uint64_t{0});
}

std::vector<double> naivebayes_model::log_priors() const {
  const double log_rows = std::log(static_cast<double>(rows()));
  std::vector<double> priors;
  priors.reserve(rows_of_class.size());
  for (const std::uint64_t rows_of_one : rows_of_class)
    priors.push_back(std::log(static_cast<double>(rows_of_one)) - log_rows);
  return priors;
}

double naivebayes_model::log_likelihood(const naivebayes_attribute& attribute, std::size_t category,
                                        std::size_t of_class) const {
  const auto found = static_cast<double>(attribute.rows[category * classes.size() + of_class]);
  const auto all = static_cast<double>(attribute.rows_of_class[of_class]);
  return std::log(found + alpha) - std::log(all + alpha * static_cast<double>(attribute.categories.size()));
}

}  // namespace duomap
