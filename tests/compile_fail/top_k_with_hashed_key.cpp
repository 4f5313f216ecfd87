// expect: satisf(y|action of) [^ ]*top_k_has_dense_or_no_key
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <functional>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::top_k<std::uint64_t, std::greater<>>;
  void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

static_assert(duomap::map_reduce_task<refused>);
