// Keeps the rows of a result column by column.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace duomap::python {

/// Texts stored one behind the other: text i ends where text i + 1 begins.
struct text_column {
  std::vector<std::int64_t> begins{0};
  std::string bytes;

  void push_back(byte_view text) {
    bytes.append(text.data, text.size);
    begins.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return begins.size() - 1; }
  [[nodiscard]] byte_view operator[](std::uint64_t i) const {
    return {bytes.data() + begins[i], static_cast<std::uint64_t>(begins[i + 1] - begins[i])};
  }
};

struct column {
  std::string name;
  std::variant<text_column, std::vector<std::uint32_t>, std::vector<std::uint64_t>, std::vector<std::int64_t>,
               std::vector<float>, std::vector<double>>
      values;
  std::vector<bool> missing = {};  ///< the rows without a value; empty: all have one
  /// Integers that are booleans, days or moments: Arrow's format of these. Else empty.
  std::string meaning = {};

  [[nodiscard]] bool is_missing(std::uint64_t row) const { return !missing.empty() && missing[row]; }
};

/// Columns of equal length.
struct columns {
  std::vector<column> all;

  [[nodiscard]] std::uint64_t rows() const;
};

/// The first `count` rows when sorted by column `by`; texts are compared by their bytes. Ties are sorted by
/// the other columns, from the left, ascending. Missing values are last.
[[nodiscard]] columns ordered(const columns& from, std::uint64_t by, bool descending, std::uint64_t count);

}  // namespace duomap::python
