// Maps a whole chunk in naive Bayes' training on the CPU. GPU code does not include this header.
#pragma once

#include "numeric/naivebayes/category_counts.hpp"
#include "numeric/naivebayes/chunk_counts.hpp"

#include <cstdint>

namespace duomap {

void category_counts::map_chunk(const chunk& part, auto& emit) const {
  chunk_counts(columns).count(
      part,
      [&](std::uint32_t column, byte_view of_class, byte_view category, std::uint64_t rows) {
        const category_field label = field_in(of_class);
        count(column, label, number_of(columns.label, label), field_in(category), rows, emit);
      },
      [&](byte_view text) {
        map(line{text, part.offset + static_cast<std::uint64_t>(text.data - part.data), part.source}, emit);
      });
}

}  // namespace duomap
