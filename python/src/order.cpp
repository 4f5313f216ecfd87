// Sorts the rows of columns.
#include "columns.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

namespace duomap::python {
namespace {

/// Compares row a with row b: negative if a comes first, 0 if they tie, else positive.
int compare(const column& by, std::uint64_t a, std::uint64_t b) {
  if (by.is_missing(a) || by.is_missing(b))
    return static_cast<int>(by.is_missing(a)) - static_cast<int>(by.is_missing(b));
  return std::visit(
      [&](const auto& values) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(values)>, text_column>) {
          return values[a].text().compare(values[b].text());
        } else {
          return values[a] < values[b] ? -1 : static_cast<int>(values[b] < values[a]);
        }
      },
      by.values);
}

column picked(const column& from, const std::vector<std::uint64_t>& places) {
  return std::visit(
      [&](const auto& values) {
        std::remove_cvref_t<decltype(values)> some;
        for (const std::uint64_t place : places) some.push_back(values[place]);
        column chosen{from.name, std::move(some), {}, from.meaning};
        if (!from.missing.empty())
          for (const std::uint64_t place : places) chosen.missing.push_back(from.missing[place]);
        return chosen;
      },
      from.values);
}

}  // namespace

std::uint64_t columns::rows() const {
  return all.empty() ? 0
                     : std::visit([](const auto& values) -> std::uint64_t { return values.size(); },
                                  all.front().values);
}

columns ordered(const columns& from, std::uint64_t by, bool descending, std::uint64_t count) {
  std::vector<std::uint64_t> places(from.rows());
  std::iota(places.begin(), places.end(), std::uint64_t{0});
  const auto before = [&](std::uint64_t a, std::uint64_t b) {
    const int first = compare(from.all[by], a, b);
    const bool missing = from.all[by].is_missing(a) || from.all[by].is_missing(b);
    if (first != 0) return descending && !missing ? first > 0 : first < 0;
    for (const column& one : from.all) {
      const int next = compare(one, a, b);
      if (next != 0) return next < 0;
    }
    return a < b;
  };
  if (count < places.size()) {
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(places.begin(), end, places.end(), before);
    places.resize(count);
  }
  std::sort(places.begin(), places.end(), before);
  columns some;
  for (const column& one : from.all) some.all.push_back(picked(one, places));
  return some;
}

}  // namespace duomap::python
