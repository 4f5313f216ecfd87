// compiles
#include "core/deterministic.hpp"
#include "core/record/rows.hpp"

#include <cmath>

struct largest_magnitude {
  using value_type = float;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  static constexpr bool exact = true;
  float operator()(float a, float b) const { return std::fmax(std::fabs(a), std::fabs(b)); }
};

struct allowed {
  using format = duomap::rows<float>;
  using key = duomap::no_key;
  using reduce = largest_magnitude;
  void map(const duomap::row<float>& row, auto& emit) const { emit(row[0]); }
};

static_assert(duomap::map_reduce_task<duomap::deterministic<allowed>>);
static_assert(duomap::is_exact_task<allowed>);
