// compiles
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <array>
#include <cstdint>

struct sums {
  using value_type = std::array<std::uint64_t, std::size_t{1} << 15>;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  value_type operator()(const value_type& a, const value_type&) const { return a; }
};

struct taken {
  using format = duomap::words;
  using key = duomap::no_key;
  using reduce = sums;
  void map(duomap::byte_view, auto& emit) const { emit(sums::value_type{}); }
};

static_assert(duomap::require_task<taken>());
