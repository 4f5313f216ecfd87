// first error: a trivially copyable type with a default constructor
#include "core/record/words.hpp"
#include "core/task_check.hpp"

#include <cstdint>

struct size_of_word {
  explicit size_of_word(std::uint64_t bytes) : size(bytes) {}
  std::uint64_t size;
};

struct refused {
  using format = duomap::words;
  using key = size_of_word;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(size_of_word(word.size), 1); }
};

static_assert(duomap::require_task<refused>());
