// The members of JSON objects that a plan reads, as a tree of names.
#pragma once

#include <cstdint>

namespace duomap::apps {

inline constexpr unsigned most_json_columns = 40;
inline constexpr unsigned most_json_names = 48;  ///< in the tree, with its root
inline constexpr unsigned most_json_name_bytes = 512;
inline constexpr unsigned most_json_levels = 16;  ///< objects around a member that is read

/// A name in the tree, and the range of the names of the members of its object.
struct json_name {
  static constexpr std::uint8_t no_column = 255;

  std::uint64_t head = 0;   ///< the first eight bytes of the name, with zeros behind a shorter one
  std::uint64_t sizes = 0;  ///< bit s: the name of a member has s bytes, or s plus a multiple of 64
  std::uint64_t below = 0;  ///< bit c: column c is this member, or is in it
  std::uint16_t text = 0;   ///< the place of the name in json_paths::texts
  std::uint16_t size = 0;
  std::uint8_t first = 0;  ///< the index of the name of the first member of its object
  std::uint8_t count = 0;  ///< the number of these names
  std::uint8_t column = no_column;
  bool dotted = false;  ///< the whole name of a column, with its dots; it wins against the path
};

/// The tree. A name before the dots of a column's name is above the name behind them. A column whose name has
/// dots has also its whole name below the root. The tree has a fixed size, because it travels to GPUs in the
/// parameters of kernels.
struct json_paths {
  unsigned columns = 0;
  json_name names[most_json_names] = {};  ///< the first one is the root
  char texts[most_json_name_bytes] = {};
};

}  // namespace duomap::apps
