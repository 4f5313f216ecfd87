// A program that claims to have GPU code for its task, but has no .cu file: it must not link.
#include <duomap.hpp>

struct wordcount {
  using format = duomap::words;
  using key = duomap::byte_view;
  using reduce = duomap::sum<std::uint64_t>;
  DUOMAP_HD void map(duomap::byte_view word, auto& emit) const { emit(word, 1); }
};

template <>
inline constexpr bool duomap::gpu::has_code<wordcount> = true;

int main() { return static_cast<int>(duomap::run(wordcount{}, duomap::text_input("to be")).size()); }
