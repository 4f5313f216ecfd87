// expect: "malloc".*map must not allocate.*operator new.*map must not allocate: .*use arrays of fixed size
#include "core/record/words.hpp"
#include "core/task.hpp"

#include <cstdint>

struct refused {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const {
    auto* const copy = new char[1];
    emit(word, static_cast<std::uint64_t>(*copy));
    delete[] copy;
    static_cast<void>(malloc(word.size));
  }
};

__global__ void map_one(refused task, duomap::byte_view word) {
  duomap::archetype_emitter<refused> emit;
  task.map(word, emit);
}
