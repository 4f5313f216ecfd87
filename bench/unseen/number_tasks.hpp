// Tasks that read numbers in text, written in the same way as the tasks of tasks.hpp.
#pragma once

#include "bench/unseen/scrambled.hpp"
#include "core/config.hpp"
#include "core/record/lines.hpp"
#include "core/task.hpp"
#include "core/text/number.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>

namespace duomap::apps::unseen {

/// The number, the sum and the largest of one sensor's readings, in hundredths of a degree.
struct readings {
  std::uint64_t count;
  std::int64_t sum;
  std::int64_t largest;
};

struct add_readings {
  using value_type = readings;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  DUOMAP_HD readings operator()(const readings& a, const readings& b) const {
    return {a.count + b.count, a.sum + b.sum, a.largest > b.largest ? a.largest : b.largest};
  }
};

/// Sums lines of "sensor,temperature" by sensor.
struct sensors {
  using format = lines;
  using key = std::uint32_t;
  using reduce = add_readings;

  DUOMAP_HD void map(const line& record, auto& emit) const {
    const auto id = parse_integer<std::uint32_t>(record.text);
    if (id.used + 1 >= record.text.size) return;
    const auto degrees = parse_double(record.text.sub(id.used + 1, record.text.size - id.used - 1));
    const auto hundredths = static_cast<std::int64_t>(degrees.value * 100 + (degrees.value < 0 ? -0.5 : 0.5));
    emit(id.value, readings{1, hundredths, hundredths});
  }
};

/// Collects the offsets of the lines that begin with a rare number.
struct rare_lines {
  using format = lines;
  using key = no_key;
  using reduce = collect<std::uint64_t>;

  DUOMAP_HD void map(const line& record, auto& emit) const {
    const auto id = parse_integer<std::uint32_t>(record.text);
    if (scrambled(id.value) % 4096 == 0) emit(record.offset);
  }
};

}  // namespace duomap::apps::unseen

template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::unseen::sensors> = DUOMAP_HAS_CUDA;
template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::unseen::rare_lines> = DUOMAP_HAS_CUDA;
