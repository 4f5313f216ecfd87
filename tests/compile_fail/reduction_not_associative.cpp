// expect: satisf(y|action of) [^ ]*declares_associative
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct subtraction {
  using value_type = std::int64_t;
  static constexpr bool associative = false;
  static constexpr bool commutative = false;
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a - b; }
};

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = subtraction;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::map_reduce_task<refused>);
