// expect: static constexpr bool exact = true
#include "core/deterministic.hpp"
#include "core/record/rows.hpp"

struct product {
  using value_type = float;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  float operator()(float a, float b) const { return a * b; }
};

struct refused {
  using format = duomap::rows<float>;
  using key = duomap::no_key;
  using reduce = product;
  void map(const duomap::row<float>& row, auto& emit) const { emit(row[0]); }
};

duomap::deterministic<refused>::reduce reduction;
