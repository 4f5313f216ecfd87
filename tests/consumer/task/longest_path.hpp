// The length of the longest path, from texts that end with a zero byte, as find -print0 writes them.
#pragma once

#include <duomap.hpp>

struct zero_ended {
  using record = duomap::byte_view;
  static std::uint64_t grain() { return 64 * 1024; }
  std::uint64_t first_start(duomap::byte_view source, std::uint64_t from, std::uint64_t limit) const {
    if (from == 0 || source[from - 1] == '\0') return from;
    const std::size_t end = source.text().substr(0, limit).find('\0', from);
    return end == std::string_view::npos ? limit : end + 1;
  }
  std::uint64_t last_start(duomap::byte_view block) const {
    const std::size_t end = block.text().rfind('\0');
    return end == std::string_view::npos ? 0 : end + 1;
  }
  template <class Use>
  void for_each_record(const duomap::chunk& part, Use&& use) const {
    for (std::uint64_t start = 0; start < part.size;) {
      const std::uint64_t end = duomap::find_byte(part.bytes(), '\0', start);
      use(duomap::byte_view(part.data + start, end - start));
      start = end + 1;
    }
  }
};

struct longest_path {
  using format = zero_ended;
  using key = duomap::no_key;
  using reduce = duomap::maximum<std::uint64_t>;
  void map(duomap::byte_view path, auto& emit) const { emit(path.size); }
};
