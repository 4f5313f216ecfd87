// The experiments of the papers, one for each application that they measured.
// host only
#pragma once

#include "apps/bench/papers/experiment.hpp"

#include <cstdint>
#include <string_view>

namespace duomap::apps {

// Word count, string match and the inverted index.

/// Counts a synthetic text with so many different words. Compared: every count.
[[nodiscard]] experiment wordcount_experiment(std::uint64_t bytes, std::uint64_t distinct);

/// Looks for one word in synthetic HTML. Compared: offset and line of every match.
[[nodiscard]] experiment stringmatch_experiment(std::uint64_t bytes);

/// Lists the links of synthetic HTML by target. Compared: every target and offset.
[[nodiscard]] experiment invertedindex_experiment(std::uint64_t bytes);

// Page view count and page view rank.

/// How many different clients asked for each page, by two passes; `visits` different pairs of page and client
/// in a synthetic log. Compared: every count.
[[nodiscard]] experiment pageviewcount_experiment(std::uint64_t bytes, std::uint64_t visits,
                                                  other_engines engines);

/// The ten pages with the most views, counts included. Compared: the ten, in their order.
[[nodiscard]] experiment pageviewrank_experiment(std::uint64_t bytes, std::uint64_t visits);

/// What a reader should know of both when few visits make up a log.
inline constexpr std::string_view note_on_logs =
    "Page views: with few different visits the time is that of taking lines apart. The sequential program "
    "and plain oneTBB look for a client and a page and take every line for an entry; duomap checks "
    "whole lines against two formats, counts those that are in none, and joins page and client to one key, "
    "which costs it about twice as much a line";

// Matrix products, similarity scores and covariances.

/// The product of two n x n matrices of small whole numbers, so that sums have no rounding. Compared: every
/// element.
[[nodiscard]] experiment matmul_experiment(std::uint64_t n);

/// The cosine of every two of so many vectors of 128 numbers. Compared: every cosine, to 1e-5.
[[nodiscard]] experiment similarity_experiment(std::uint64_t vectors);

/// The sums that covariances of columns are made of. Compared: every sum, to 1e-5 of a column's sum of
/// squares.
[[nodiscard]] experiment covariance_experiment(std::uint64_t rows, std::uint32_t columns);

// k-means, nearest neighbours and naive Bayes.

/// Ten iterations over points of three floats from given centres. Compared: sizes of clusters, but for one
/// point in 10,000, which may be as near to two centres as rounding can tell; centres to a thousandth.
[[nodiscard]] experiment kmeans_experiment(std::uint64_t points, std::uint32_t clusters);

/// The 20 nearest of so many points of three floats to one query. Compared: all of them, in their order.
[[nodiscard]] experiment knn_experiment(std::uint64_t points);

/// Counts a table of 30 keys. Compared: every count.
[[nodiscard]] experiment naivebayes_experiment(std::uint64_t bytes);

// Support vector machines.

/// Trains so many synthetic rows of 16 numbers in two classes that overlap. Compared: the objective, to a
/// thousandth.
[[nodiscard]] experiment svm_training_experiment(std::uint64_t rows);

/// Classifies so many such rows by a machine trained on a thousand. Compared: every label but of rows that
/// lie within a ten-thousandth of the boundary.
[[nodiscard]] experiment svm_classification_experiment(std::uint64_t rows);

// Sums over arrays.

/// The sum of so many 32-bit numbers, a multiple of 16: the synthetic task of apps/scheduling without its
/// steps. Compared: the sum.
[[nodiscard]] experiment sum_experiment(std::uint64_t elements);

}  // namespace duomap::apps
