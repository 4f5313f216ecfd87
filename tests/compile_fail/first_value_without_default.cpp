// first error: the task's reduce is no reduction: expected .*trivially copyable with a default constructor
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct size_of_word {
  explicit size_of_word(std::uint64_t bytes) : size(bytes) {}
  std::uint64_t size;
};

struct longer {
  using value_type = size_of_word;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  size_of_word operator()(const size_of_word& a, const size_of_word& b) const {
    return a.size < b.size ? b : a;
  }
};

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = longer;
  void map(duomap::byte_view word, auto& emit) const { emit(word, size_of_word(word.size)); }
};

static_assert(duomap::require_task<refused>());
