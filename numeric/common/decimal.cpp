// Tells numbers that are too small for a type from numbers that are too large.
#include "numeric/common/decimal.hpp"

namespace duomap {

bool underflows(const char* begin, const char* end) {
  // The position of the first digit other than 0, to which the written exponent is added below. Numbers out
  // of range are far from 1, so counting digits is precise enough.
  std::int64_t magnitude = 0;
  bool behind_point = false;
  bool found = false;
  const char* at = begin;
  for (; at != end && *at != 'e' && *at != 'E'; ++at) {
    if (*at == '.') {
      behind_point = true;
    } else if (*at >= '0' && *at <= '9') {
      found = found || *at != '0';
      if (found && !behind_point) ++magnitude;
      if (!found && behind_point) --magnitude;
    }
  }
  if (at == end) return magnitude < 0;
  ++at;
  const bool negative = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;
  std::int64_t written = 0;
  for (; at != end && written < std::int64_t{1} << 56; ++at) written = written * 10 + (*at - '0');
  return magnitude + (negative ? -written : written) < 0;
}

}  // namespace duomap
