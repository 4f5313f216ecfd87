// Finds the narrowest type that holds the numbers of a column's first rows.
// host only
#pragma once

#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/scaled_number.hpp"

#include <algorithm>

namespace duomap::apps {

class narrowest_type {
 public:
  /// Adds a field. Fields that are missing or no numbers change nothing; the run reports such rows.
  void add(byte_view field) {
    const byte_view text = trimmed(field);
    if (text.empty() || real_) return;
    const scaled_number number = parse_scaled(text, 18);
    if (number.status == scaled_status::no_number) {
      real_ = parse_real(text).status == parse_status::number;
      return;
    }
    scale_ = std::max(scale_, number.decimals);
    real_ = scale_ > most_decimals || parse_scaled(text, scale_).status != scaled_status::number;
  }

  [[nodiscard]] number_type type() const {
    return real_ ? number_type{.real = true} : number_type{.scale = scale_};
  }

 private:
  // A column with more decimals is read as doubles, unless the user declares its type.
  static constexpr unsigned most_decimals = 9;

  unsigned scale_ = 0;
  bool real_ = false;
};

}  // namespace duomap::apps
