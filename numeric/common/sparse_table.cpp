// Reads a whole file of LIBSVM text.
#include "numeric/common/sparse_table.hpp"

#include "core/input/input.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/common/libsvm_text.hpp"
#include "numeric/common/whole_input.hpp"

namespace duomap {

template <class T>
sparse_table<T> read_sparse_table(const std::string& path, const table_options& options) {
  const whole_input file(path, options.control, options.content);
  const auto pool = cpu::machine_pool(options.threads, view_input(file.bytes()));
  sparse_table<T> table = parse_libsvm<T>(file.bytes(), file.name(), options, *pool);
  table.growth = file.change();
  return table;
}

template sparse_table<float> read_sparse_table(const std::string& path, const table_options& options);
template sparse_table<double> read_sparse_table(const std::string& path, const table_options& options);

}  // namespace duomap
