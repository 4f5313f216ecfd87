// The application `matmul`: multiplies two matrices.
#include "apps/cli/options.hpp"
#include "core/add_note.hpp"
#include "core/output/float_cell.hpp"
#include "duomap.hpp"
#include "numeric/commands/applications.hpp"
#include "numeric/commands/table_flags.hpp"
#include "numeric/common/npy_header.hpp"
#include "numeric/common/read_table.hpp"
#include "numeric/matmul/matmul.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Multiplies two matrices.

  input    two files of numbers: .npy (1- or 2-dimensional), CSV, TSV, IDX,
           LIBSVM; the first has as many columns as the second has rows
  record   a row of the first factor
  map      the same row of the product, written to its place: OpenBLAS or
           kernels of duomap on the CPU, cuBLAS on GPUs
  reduce   nothing
  output   the product: a NumPy array when --output ends in .npy, else one
           line for each of its rows

Numbers are float32, with --float64 float64, and so are all sums:
an element of n terms is wrong by at most about n * 2^-24 (2^-53) times the
sum of their sizes. Its last bits depend on where it was computed, unless
--deterministic makes CPUs and GPUs add in the same order. Of whole numbers
it is exact while that sum is at most 2^24 (2^53). Two arrays of integers
whose sums may be larger are multiplied in float64, and so is their product;
a note says so, and says when not even that is enough. --tf32 lets GPUs that
can do that round the factors to 11 bits, which is several times as fast. NaN
and infinity are numbers like any other; a missing value is an error.

Examples
  duomap run matmul a.npy b.npy --output c.npy
  duomap run matmul --deterministic a.npy b.npy --output c.npy
  duomap run matmul --tf32 --device gpu a.npy b.npy --output c.npy
)";

struct matmul_flags {
  bool float64 = false;
  bool tf32 = false;
};

// One instance is enough, because the program runs one command.
matmul_flags& flags_of_this_run() {
  static matmul_flags flags;
  return flags;
}

void add_options(CLI::App& command) {
  refuse_order(command, {"--top", "--sort"}, "the rows of a product have one order");
  add_flag(command, "--float64", flags_of_this_run().float64, "read and multiply with 64 bits");
  add_flag(command, "--tf32", flags_of_this_run().tf32,
           "let GPUs round the factors to 11 bits; CPUs never do");
}

template <class T>
void write_product(const matrix<T>& product, run_context& context) {
  if (context.options.output.ends_with(".npy")) {
    const std::string header =
        make_npy_header(std::is_same_v<T, float> ? "<f4" : "<f8", {product.rows(), product.columns()});
    context.sink.write(byte_view(header));
    context.sink.write(product.view().bytes());
    return;
  }
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < product.columns(); ++i) names.push_back("c" + std::to_string(i + 1));
  table_writer table(context.sink, context.options.format, names);
  std::vector<cell> cells(product.columns());
  for (std::uint64_t row = 0; row < product.rows(); ++row) {
    for (std::uint64_t i = 0; i < cells.size(); ++i) cells[i] = number_cell(product.row(row)[i]);
    table.row(cells);
  }
}

template <class T>
run_report multiply(run_context& context) {
  const run_arguments& options = context.options;
  const table_options reading = table_options_of(context, {.allow_non_finite = true});
  const auto left = read_table<T>(options.paths[0], reading);
  const auto right = read_table<T>(options.paths[1], reading);
  run_report report;
  matmul_options how{.run = run_options_for(options, context.control, &report)};
  if (flags_of_this_run().tf32) how.kind = product_kind::tf32;
  if (options.deterministic) how.kind = product_kind::ordered;
  const double largest = largest_whole_sum(left.values.view(), right.values.view());
  if constexpr (std::is_same_v<T, float>) {
    if (left.integers && right.integers && largest > largest_whole<float> && how.kind != product_kind::tf32 &&
        std::ranges::count(options.paths, "-") == 0) {
      report = multiply<double>(context);
      report.notes.emplace_back("multiplied in float64, because float32 rounds sums of so large integers");
      return report;
    }
  }
  const matrix<T> product = matmul(left.values.view(), right.values.view(), how);
  report.task = "matmul";
  report.sources = 2;
  report.results = product.rows();
  write_product(product, context);
  if (largest > largest_whole<T>)
    report.notes.emplace_back(
        std::string("the factors are whole numbers, and sums of their products may be above ") +
        (sizeof(T) == sizeof(double) ? "2^53, where float64 rounds them"
                                     : "2^24, where float32 rounds them; use float64 (--float64)"));
  add_note(report.notes, note_on_loss(left));
  add_note(report.notes, note_on_loss(right));
  add_note(report.notes, left.change());
  add_note(report.notes, right.change());
  return report;
}

run_report run_matmul(run_context& context) {
  const run_arguments& options = context.options;
  const matmul_flags& flags = flags_of_this_run();
  if (options.paths.size() != 2)
    throw usage_error("give two files, the factors in their order; there are " +
                      std::to_string(options.paths.size()));
  if (options.verify)
    throw usage_error("a product reduces nothing whose laws could be checked; leave out --verify");
  if (flags.tf32 && options.deterministic)
    throw usage_error("--tf32 cannot be deterministic: CPUs have no such numbers; give one of the two");
  if (flags.tf32 && flags.float64) throw usage_error("--tf32 is about float32; leave out --float64");
  return flags.float64 ? multiply<double>(context) : multiply<float>(context);
}

}  // namespace

constinit const app matmul_app{
    .name = "matmul",
    .summary = "the product of two matrices",
    .description = description,
    .add_options = add_options,
    .run = run_matmul,
};

}  // namespace duomap::apps
