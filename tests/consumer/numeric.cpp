// A program outside duomap that reads and writes numbers and links only duomap::numeric.
#include <numeric/common/cpu_product.hpp>
#include <numeric/common/read_table.hpp>
#include <numeric/common/write_table.hpp>

#include <cstdio>

int main() {
  duomap::matrix<float> numbers(2, 3);
  for (int i = 0; i < 6; ++i) numbers.data()[i] = static_cast<float>(i) / 4;
  float square[4];
  duomap::multiply_on_cpu(duomap::product_kind::plain, 2, 2, 3, {numbers.data(), 3, false},
                          {numbers.data(), 3, true}, {square, 2});
  bool same = square[1] == 0.875f;
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
