// Reads and writes fractions from 0 to 1.
#include "apps/tasks/table/decimal_fraction.hpp"

#include "apps/tasks/table/scaled_number.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"

namespace duomap::apps {

decimal_fraction parse_fraction(const std::string& text) {
  constexpr unsigned most = 18;
  std::int64_t one = 1;
  for (unsigned i = 0; i < most; ++i) one *= 10;
  const scaled_number number = parse_scaled(byte_view(text), most);
  if (number.status != scaled_status::number || number.value < 0 || number.value > one)
    throw usage_error("the fraction of a quantile is " + duomap::quoted(text) +
                      "; give a decimal from 0 to 1, such as 0.95, with at most 18 digits behind the point");
  decimal_fraction fraction{number.value, most};
  while (fraction.scale > 0 && fraction.digits % 10 == 0) {
    fraction.digits /= 10;
    --fraction.scale;
  }
  return fraction;
}

std::string text_of(const decimal_fraction& fraction) {
  std::string digits = std::to_string(fraction.digits);
  if (fraction.scale == 0) return digits;
  if (digits.size() <= fraction.scale) digits.insert(0, fraction.scale + 1 - digits.size(), '0');
  return digits.insert(digits.size() - fraction.scale, ".");
}

}  // namespace duomap::apps
