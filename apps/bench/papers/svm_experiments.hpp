// Support vector machines: training and classification, as Catanzaro et al. measured them.
// host only
#pragma once

#include "apps/bench/papers/experiment.hpp"

#include <cstdint>

namespace duomap::apps {

/// Trains so many made-up rows of 16 numbers in two classes that overlap. Compared: the objective, to a
/// thousandth.
[[nodiscard]] experiment svm_training_experiment(std::uint64_t rows);

/// Classifies so many such rows by a machine trained on a thousand. Compared: every label but of rows that
/// lie within a ten-thousandth of the boundary.
[[nodiscard]] experiment svm_classification_experiment(std::uint64_t rows);

}  // namespace duomap::apps
