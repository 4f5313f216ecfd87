// Where a function was called from, for messages. The standard's std::source_location is missing from clang
// 14 with this C++ library.
#pragma once

namespace duomap {

/// As a last parameter `call_site where = call_site::current()`: the caller's file and line.
struct call_site {
  const char* file = "";
  unsigned line = 0;

  [[nodiscard]] static constexpr call_site current(const char* file = __builtin_FILE(),
                                                   unsigned line = __builtin_LINE()) noexcept {
    return {file, line};
  }
};

}  // namespace duomap
