// Sorts stored partials by the size of their parts of the input, and leaves out those whose part others have.
#include "core/partial/stored/select_partials.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <utility>

namespace duomap {

selected_partials each_part_once(std::vector<std::shared_ptr<const partial_reader>> readers) {
  // Larger parts first: a merged partial replaces the partials of which it was made.
  const auto covered = [](const partial_reader& one) {
    long double units = 0;
    for (const auto& source : one.header().covers.sources()) {
      for (const auto& [begin, end] : source.intervals) units += static_cast<long double>(end - begin);
    }
    return units;
  };
  std::ranges::stable_sort(readers, [&](const auto& a, const auto& b) { return covered(*a) > covered(*b); });

  selected_partials selected;
  for (auto& one : readers) {
    const covered_input& covers = one->header().covers;
    if (!selected.readers.empty()) {
      if (selected.covers.contains(covers)) {
        if (covered(*one) == 0) continue;  // an empty part: the input was cut into too many parts
        selected.notes.push_back(one->name() + " is left out: others hold its part of the input");
        continue;
      }
      if (selected.covers.overlaps(covers))
        throw input_error(
            "cannot merge " + one->name() +
            ": some of its part of the input is in another partial, and some is not; map parts that do "
            "not overlap");
    }
    selected.covers.add(covers);
    selected.readers.push_back(std::move(one));
  }
  return selected;
}

}  // namespace duomap
