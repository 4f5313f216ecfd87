// Detects digits that float32 loses from the numbers of a table, and writes the note that commands and
// functions give about them.
// host only
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace duomap {

/// Columns in which float32 makes numbers equal, or rounds by a large part of their range.
struct float32_loss {
  std::uint64_t columns = 0;
  std::uint64_t first = 0;  ///< the first column with a loss, from 0
  std::string what;         ///< its loss: "float32 makes 123456789 and 123456791 equal"
};

/// The advice of applications that can compute with float64.
inline constexpr std::string_view use_float64 = "use float64 (--float64)";

/// A sentence for a run's report; empty when nothing is lost. `column`: the name of the first column with a
/// loss, like "column 2". `remedy`: advice, if there is any.
[[nodiscard]] std::string note_on(const float32_loss& loss, const std::string& column,
                                  std::string_view remedy = {});

/// Watches numbers in float64 while they are read. A column's loss matters in two cases. Rounding made more
/// than one in 1,024 of the rounded numbers equal to a different number among a few earlier ones. Or rounding
/// moved a number by more than 2^-12 of the column's range. Only the first 4,096 columns are watched.
class float32_loss_check {
 public:
  static constexpr std::uint64_t most_columns = 4096;

  void add(std::uint64_t column, double x) {
    // Numbers beyond float32's range have an error message of their own.
    if (!(std::abs(x) <= static_cast<double>(std::numeric_limits<float>::max()))) return;
    if (column >= columns_.size()) {
      if (column >= most_columns) return;
      columns_.resize(column + 1);
    }
    columns_[column].add(x);
  }
  void add(const float32_loss_check& more);
  /// For a sparse table of `rows` rows: adds a zero to each column that has fewer numbers.
  void add_zeros(std::uint64_t rows);

  [[nodiscard]] float32_loss loss() const;

 private:
  struct seen {
    float rounded = 0;
    double exact = 0;
  };

  class column_state {
   public:
    void add(double x) {
      const auto rounded = static_cast<float>(x);
      const double error = std::abs(x - static_cast<double>(rounded));
      ++count;
      least = x < least ? x : least;
      most = x > most ? x : most;
      if (!(error > 0)) return;
      ++inexact;
      largest_error = error > largest_error ? error : largest_error;
      meet({rounded, x});
    }
    void add(const column_state& more);
    /// The column's loss; empty when it does not matter.
    [[nodiscard]] std::string loss() const;

    std::uint64_t count = 0;

   private:
    /// Compares a number with the latest number at its place in `kept`.
    void meet(const seen& one) {
      seen& before = kept[place_of(one.rounded)];
      if (before.rounded == one.rounded && before.exact != one.exact && before.exact != 0) {
        if (equal++ == 0) example = {before.exact, one.exact};
      }
      before = one;
    }
    [[nodiscard]] static std::size_t place_of(float rounded);

    std::uint64_t inexact = 0;
    std::uint64_t equal = 0;
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    double largest_error = 0;
    std::array<double, 2> example = {};
    std::array<seen, 4> kept = {};
  };

  std::vector<column_state> columns_;
};

}  // namespace duomap
