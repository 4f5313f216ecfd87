// Reads a file of numbers, whatever its format, with all cores.
// host only
#pragma once

#include "apps/algorithms/numeric/labelled_table.hpp"
#include "apps/algorithms/numeric/table_options.hpp"

#include <string>

namespace duomap {

/// Reads the table in the file `path` ("-": standard input). T is float or double; numbers of text are
/// rounded to the nearest T, those of other types are converted as C++ does.
///
/// The format, unless the options say it, is .npy or IDX where the first bytes are theirs, delimited where
/// the name ends in .csv or .tsv (before .gz, .zst, .xz or .lz4), LIBSVM where it ends in .libsvm, .svm or
/// .svmlight; for other names LIBSVM where one of the first 10 lines is a number and INDEX:VALUE pairs, and
/// delimited text where none is.
///
/// Delimited text: spaces and tabs around a field do not belong to it. A field in quotes may hold the
/// delimiter, and quotes that are doubled, but no end of line. Lines end with LF or CRLF; those with nothing
/// but spaces are skipped. A value is missing where nothing stands, or ?, NA, N/A, null or nan (in any case).
/// .npy: float32 and float64, integers and bool, of either byte order, in C or Fortran order; the first
/// dimension counts the rows, all others make up a row, and an array of one dimension is one column. A file
/// of T in C order that is not compressed and at least 1 MiB long stays where it is mapped: nothing is
/// copied. LIBSVM: a feature that a row does not have is 0 (read_sparse_table() does not store it). IDX: a
/// row is all numbers of one item (pixels of an image).
///
/// @throws input_error naming file, line or row, and column; out_of_memory; usage_error when an option names
/// a column that is not there; interrupted
template <class T>
[[nodiscard]] labelled_table<T> read_table(const std::string& path, const table_options& options = {});

}  // namespace duomap
