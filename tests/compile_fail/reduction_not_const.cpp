// expect: satisf(y|action of) [^ ]*combines_two_values
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct addition {
  using value_type = std::uint64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) { return a + b; }
};

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = addition;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::map_reduce_task<refused>);
