// A program outside duomap that reads and writes numbers with nothing but duomap::numeric.
#include <apps/numeric/blas.hpp>
#include <apps/numeric/read_table.hpp>
#include <apps/numeric/write_table.hpp>

#include <cstdio>

int main() {
  duomap::keep_blas_on_calling_thread();
  duomap::matrix<float> numbers(2, 3);
  for (int i = 0; i < 6; ++i) numbers.data()[i] = static_cast<float>(i) / 4;
  bool same = true;
  for (const char* const path : {"numbers.npy", "numbers.csv"}) {
    duomap::write_matrix(path, numbers.view());
    const auto table = duomap::read_table<float>(path);
    same = same && table.values.rows() == 2 && table.values.columns() == 3;
    for (int i = 0; same && i < 6; ++i) same = table.values.view().data[i] == numbers.data()[i];
    std::remove(path);
  }
  if (!same) {
    std::printf("what was written is not what was read\n");
    return 1;
  }
}
