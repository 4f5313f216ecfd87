// The count, sum, minimum and maximum of each sensor's temperatures, from lines "sensor,temperature".
#pragma once

#include <duomap.hpp>

struct readings {
  std::uint64_t count;
  double sum, smallest, largest;
};

struct add_readings {
  using value_type = readings;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  DUOMAP_HD readings operator()(const readings& a, const readings& b) const {
    return {a.count + b.count, a.sum + b.sum, a.smallest < b.smallest ? a.smallest : b.smallest,
            a.largest > b.largest ? a.largest : b.largest};
  }
};

struct sensors {
  using format = duomap::fields;
  using key = duomap::byte_view;
  using reduce = add_readings;
  static format records() { return {.delimiter = ','}; }
  DUOMAP_HD void map(const duomap::field_list& line, auto& emit) const {
    duomap::byte_view sensor, text;
    if (!line.get(0, sensor) || !line.get(1, text)) return;
    const auto degrees = duomap::parse_double(text);
    if (degrees.all_of(text.size)) emit(sensor, readings{1, degrees.value, degrees.value, degrees.value});
  }
};
