// Reads a file of numbers in any format, with all cores.
// host only
#pragma once

#include "numeric/common/labelled_table.hpp"
#include "numeric/common/table_options.hpp"

#include <string>

namespace duomap {

/// Reads the table in the file `path` ("-": standard input). T is float or double. Numbers in text are
/// rounded to the nearest T; numbers of other types are converted by C++'s rules.
///
/// If the options do not give the format, the first bytes decide for .npy and IDX. Then the ending of the
/// name decides: .csv or .tsv (before .gz, .zst, .xz or .lz4) is delimited text, and .libsvm, .svm or
/// .svmlight is LIBSVM text. For other names, the file is LIBSVM text if one of the first 10 lines is a
/// number followed by INDEX:VALUE pairs, and delimited text otherwise.
///
/// Delimited text: spaces and tabs around a field do not belong to it. A field in quotes may hold the
/// delimiter and doubled quotes, but no end of line. Lines end with LF or CRLF; lines of only spaces are
/// skipped. A missing value is an empty field, or ?, NA, N/A, null or nan (in any case).
///
/// .npy: float32 and float64, integers and bool, of either byte order, in C or Fortran order. The first
/// dimension counts the rows, all others make up a row, and an array of one dimension is one column. A file
/// of T in C order, not compressed and at least 1 MiB long, stays mapped and is not copied.
///
/// LIBSVM: a feature that a row does not have is 0 (read_sparse_table() does not store it). IDX: a row is all
/// numbers of one item (pixels of an image).
///
/// @throws input_error naming file, line or row, and column; out_of_memory; usage_error when an option names
/// a column that does not exist; interrupted
template <class T>
[[nodiscard]] labelled_table<T> read_table(const std::string& path, const table_options& options = {});

}  // namespace duomap
