// expect: satisf(y|action of) [^ ]*fixed_size_key
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct padded {
  char letter;
  std::uint32_t size;
};

struct refused {
  using format = duomap::words;
  using key = padded;
  using reduce = duomap::sum<std::uint64_t>;
  void map(duomap::byte_view word, auto& emit) const { emit(padded{word[0], 1}, 1); }
};

static_assert(duomap::map_reduce_task<refused>);
