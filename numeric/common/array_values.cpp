// Checks an array's size, and converts the elements or leaves them in the mapped file.
#include "numeric/common/array_values.hpp"

#include "core/error.hpp"
#include "numeric/common/finite.hpp"
#include "numeric/common/ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace duomap {
namespace {

struct extent {
  std::uint64_t rows;
  std::uint64_t columns;
};

/// Rows and columns of an array; fails unless all of its elements are in the file.
extent checked_extent(const whole_input& file, const array_header& header) {
  const auto refuse = [&](const std::string& problem) {
    throw input_error("cannot read " + file.name() + " as a table: " + problem);
  };
  if (header.shape.empty()) refuse("it is a single number; give an array of one dimension or more");
  const std::uint64_t rows = header.shape.front();
  std::uint64_t columns = 1;
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 1; i < header.shape.size(); ++i) {
    if (header.shape[i] != 0 && columns > most / header.shape[i]) refuse("its shape is larger than any file");
    columns *= header.shape[i];
  }
  if (rows == 0 || columns == 0) refuse("its shape says that it holds no number");
  const std::uint64_t there = file.bytes().size - header.data_offset;
  if (rows > most / header.type.bytes / columns || rows * columns * header.type.bytes > there) {
    refuse("its shape asks for " + std::to_string(rows) + " rows of " + std::to_string(columns) +
           " numbers, and there are " + std::to_string(there) + " bytes of them; fetch or write it again");
  }
  if (const std::uint64_t more = there - rows * columns * header.type.bytes; more > 0) {
    refuse("there are " + std::to_string(more) + " bytes behind its " + std::to_string(rows) +
           " rows; write each array to a file of its own");
  }
  return {rows, columns};
}

template <class T>
matrix<T> converted(const char* from, const array_header& header, extent size, const table_options& options,
                    worker_pool& pool) {
  matrix<T> to(size.rows, size.columns, "a table");
  const std::uint64_t element = header.type.bytes;
  const std::uint64_t grain = rows_per_range(size.columns * sizeof(T));
  for_each_range(pool, size.rows, grain, options.control, [&](std::uint64_t begin, std::uint64_t end) {
    T* const place = to.data() + begin * size.columns;
    if (!header.fortran_order) {
      convert_elements(from + begin * size.columns * element, header.type, (end - begin) * size.columns,
                       place);
      return;
    }
    // The file has this range's numbers of one column side by side. The range is small enough to stay in the
    // cache.
    for (std::uint64_t column = 0; column < size.columns; ++column) {
      convert_elements(from + (column * size.rows + begin) * element, header.type, end - begin,
                       place + column, size.columns);
    }
  });
  return to;
}

/// The digits that float32 loses in the first rows. About a million numbers are enough to judge a table.
float32_loss loss_of(const char* from, const array_header& header, extent size) {
  const element_type type = header.type;
  if (type.bytes < 4 || (type.kind == number_kind::floating && type.bytes == 4)) return {};
  const std::uint64_t rows =
      std::min(size.rows, std::max<std::uint64_t>(1, (std::uint64_t{1} << 20) / size.columns));
  std::vector<double> numbers(rows);
  float32_loss_check watch;
  for (std::uint64_t column = 0; column < std::min(size.columns, float32_loss_check::most_columns);
       ++column) {
    for (std::uint64_t row = 0; row < rows; ++row) {
      const std::uint64_t at = header.fortran_order ? column * size.rows + row : row * size.columns + column;
      convert_elements(from + at * type.bytes, type, 1, &numbers[row]);
    }
    for (const double number : numbers) watch.add(column, number);
  }
  return watch.loss();
}

/// Copies a table without its rows that have a NaN or an infinity, and lists these rows. Rows before
/// `first_bad` are known to be finite.
template <class T>
std::pair<matrix<T>, std::vector<std::uint64_t>> finite_rows(matrix_view<T> from, std::uint64_t first_bad) {
  std::vector<std::uint64_t> dropped;
  matrix<T> kept(from.rows, from.columns, "a table");
  std::copy_n(from.data, first_bad * from.columns, kept.data());
  std::uint64_t count = first_bad;
  for (std::uint64_t row = first_bad; row < from.rows; ++row) {
    const std::span<const T> values = from.row(row);
    if (std::all_of(values.begin(), values.end(), [](T value) { return std::isfinite(value); })) {
      std::copy(values.begin(), values.end(), kept.row(count++).begin());
    } else {
      dropped.push_back(row);
    }
  }
  kept.keep_rows(count);
  return {std::move(kept), std::move(dropped)};
}

/// An array with at most one dimension longer than 1 is in C order and in Fortran order at once.
bool in_c_order(const array_header& header) {
  return !header.fortran_order ||
         std::count_if(header.shape.begin(), header.shape.end(), [](std::uint64_t n) { return n != 1; }) < 2;
}

}  // namespace

template <class T>
array_values<T> take_array(whole_input file, const array_header& header, const table_options& options,
                           worker_pool& pool) {
  const extent size = checked_extent(file, header);
  if (header.fortran_order && header.shape.size() > 2) {
    throw input_error("cannot read " + file.name() + ": it has " + std::to_string(header.shape.size()) +
                      " dimensions in Fortran order; save numpy.ascontiguousarray of it");
  }
  if (options.on_shape) options.on_shape(size.rows, size.columns);
  const std::string name = file.name();
  const char* const from = file.bytes().data + header.data_offset;
  const bool where_it_is = file.is_mapped() && header.type == native_element<T> && in_c_order(header) &&
                           reinterpret_cast<std::uintptr_t>(from) % alignof(T) == 0;
  array_values<T> taken;
  if (where_it_is) {
    const matrix_view<T> values(reinterpret_cast<const T*>(from), size.rows, size.columns);
    taken.values = stored_matrix<T>(std::move(file).release_mapping(), values);
  } else {
    taken.values = converted<T>(from, header, size, options, pool);
    if (sizeof(T) == sizeof(float)) taken.loss = loss_of(from, header, size);
  }
  const auto change = [&] {
    return where_it_is ? taken.values.change() : file.change();
  };
  if (!options.allow_non_finite && options.rows == bad_rows::error) {
    require_finite(taken.values.view(), name, pool);
  } else if (!options.allow_non_finite) {
    if (const std::uint64_t bad = first_row_not_finite(taken.values.view(), pool); bad < size.rows) {
      auto [kept, dropped] = finite_rows(taken.values.view(), bad);
      if (kept.rows() == 0) throw input_error("every row of " + name + " has NaN or infinity; none is left");
      std::string growth = change();
      return {std::move(kept), std::move(dropped), std::move(taken.loss), std::move(growth)};
    }
  }
  taken.growth = change();
  return taken;
}

template array_values<float> take_array(whole_input file, const array_header& header,
                                        const table_options& options, worker_pool& pool);
template array_values<double> take_array(whole_input file, const array_header& header,
                                         const table_options& options, worker_pool& pool);

}  // namespace duomap
