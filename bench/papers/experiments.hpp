// The experiments of the papers, one for each application.
// host only
#pragma once

#include "bench/papers/experiment.hpp"

#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// Counts the words of a synthetic text with `distinct` different words. Compares every count.
[[nodiscard]] experiment wordcount_experiment(std::uint64_t bytes, std::uint64_t distinct);

/// Searches synthetic HTML for one word. Compares the offset and line of every match.
[[nodiscard]] experiment stringmatch_experiment(std::uint64_t bytes);

/// Lists the links of synthetic HTML by target. Compares every target and offset.
[[nodiscard]] experiment invertedindex_experiment(std::uint64_t bytes);

/// Counts the different clients of each page in two passes over a synthetic log with `visits` different pairs
/// of page and client. Compares every count.
[[nodiscard]] experiment pageviewcount_experiment(std::uint64_t bytes, std::uint64_t visits,
                                                  compared_engines engines);

/// Finds the ten pages with the most views. Compares the ten pages, their counts and their order.
[[nodiscard]] experiment pageviewrank_experiment(std::uint64_t bytes, std::uint64_t visits);

/// A note for tables of both experiments, about logs with few different visits.
inline constexpr std::string_view note_on_logs =
    "Page views: with few different visits the time is that of taking lines apart. The sequential program "
    "and plain oneTBB look for a client and a page and take every line for an entry; duomap checks "
    "whole lines against two formats, counts those that are in none, and joins page and client to one key, "
    "which costs it about twice as much a line";

/// Multiplies two n x n matrices of small whole numbers, whose sums have no rounding. Compares every element.
[[nodiscard]] experiment matmul_experiment(std::uint64_t n);

/// Computes the cosine of every pair of `vectors` vectors of 128 numbers. Compares every cosine, to 1e-5.
[[nodiscard]] experiment similarity_experiment(std::uint64_t vectors);

/// Computes the sums that covariances of columns need. Compares every sum, to 1e-5 of the largest sum of
/// squares.
[[nodiscard]] experiment covariance_experiment(std::uint64_t rows, std::uint32_t columns);

/// Does ten iterations of k-means over points of three floats from given centres. Compares the centres, to a
/// thousandth, and the sizes of clusters. Sizes may differ by one point in 10,000, because rounding may move
/// a point between two equally near centres.
[[nodiscard]] experiment kmeans_experiment(std::uint64_t points, std::uint32_t clusters);

/// Finds the 20 of `points` points of three floats that are nearest to one query. Compares all 20 and their
/// order.
[[nodiscard]] experiment knn_experiment(std::uint64_t points);

/// Counts a table of 30 keys. Compares every count.
[[nodiscard]] experiment naivebayes_experiment(std::uint64_t bytes);

/// Trains with `rows` synthetic rows of 16 numbers in two classes that overlap. Compares the objective, to a
/// thousandth.
[[nodiscard]] experiment svm_training_experiment(std::uint64_t rows);

/// Classifies `rows` rows of the same kind. The support vector machine was trained on a thousand others.
/// Compares every label, except where the decision value is within 1e-4 of the boundary.
[[nodiscard]] experiment svm_classification_experiment(std::uint64_t rows);

/// Sums `elements` 32-bit numbers, rounded down to a multiple of 16, with the synthetic task of
/// bench/scheduling and no steps. Compares the sum.
[[nodiscard]] experiment sum_experiment(std::uint64_t elements);

}  // namespace duomap::apps
