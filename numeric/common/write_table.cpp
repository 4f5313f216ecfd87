// Writes rows of numbers as text, or as a NumPy array.
#include "numeric/common/write_table.hpp"

#include "core/error.hpp"
#include "core/output/result_file.hpp"
#include "core/output/table_writer.hpp"
#include "core/path_problem.hpp"
#include "numeric/common/npy_header.hpp"

#include <charconv>
#include <string_view>
#include <type_traits>

namespace duomap {
namespace {

template <class T>
constexpr std::string_view npy_type = std::is_same_v<T, float>    ? "<f4"
                                      : std::is_same_v<T, double> ? "<f8"
                                                                  : "<u4";

/// Writes the fewest digits that tell a number from all other T: fewer for a float than for the equal double.
template <class T>
void write_rows(byte_sink& sink, matrix_view<T> values, char delimiter) {
  constexpr std::uint64_t longest_number = 32;
  for (std::uint64_t row = 0; row < values.rows; ++row) {
    for (std::uint64_t column = 0; column < values.columns; ++column) {
      if (column > 0) sink.write(delimiter);
      char* const place = sink.reserve(longest_number);
      const char* const end = std::to_chars(place, place + longest_number, values.row(row)[column]).ptr;
      sink.advance(static_cast<std::uint64_t>(end - place));
    }
    sink.write('\n');
  }
}

}  // namespace

template <class T>
void write_npy(const std::string& path, matrix_view<T> values, bool flat) {
  expects(!flat || values.columns == 1, "a flat array is one of a single column");
  result_file file(path);
  std::vector<std::uint64_t> shape{values.rows};
  if (!flat) shape.push_back(values.columns);
  file.sink().write(std::string_view(make_npy_header(npy_type<T>, shape)));
  file.sink().write(values.bytes());
  file.commit();
}

template <class T>
void write_matrix(const std::string& path, matrix_view<T> values, const std::vector<std::string>& names) {
  if (path.ends_with(".npy")) return write_npy(path, values);
  expects(names.empty() || names.size() == values.columns, "a matrix has as many names as columns");
  result_file file(path);
  const bool csv = path.ends_with(".csv");
  if (csv) {
    std::vector<std::string> header = names;
    for (std::uint64_t i = header.size(); i < values.columns; ++i)
      header.push_back("c" + std::to_string(i + 1));
    table_writer(file.sink(), table_format::csv, header);
  }
  write_rows(file.sink(), values, csv ? ',' : '\t');
  file.commit();
}

void require_matrix_ending(const std::string& option, const std::string& path) {
  if (path.empty() || path == "-" || path.starts_with("/dev/")) return;
  if (path.ends_with(".npy") || path.ends_with(".csv") || path.ends_with(".tsv")) return;
  throw usage_error(option + " cannot write " + quoted(path) +
                    ": the format is that of the name's ending; give a name that ends in .npy, .csv or .tsv");
}

template void write_npy(const std::string& path, matrix_view<float> values, bool flat);
template void write_npy(const std::string& path, matrix_view<double> values, bool flat);
template void write_npy(const std::string& path, matrix_view<std::uint32_t> values, bool flat);
template void write_matrix(const std::string& path, matrix_view<float> values,
                           const std::vector<std::string>& names);
template void write_matrix(const std::string& path, matrix_view<double> values,
                           const std::vector<std::string>& names);

}  // namespace duomap
