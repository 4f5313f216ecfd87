// Stores and loads the texts of a partition whose keys or values have places of texts.
// host only
#pragma once

#include "core/partial/partial_for.hpp"
#include "core/partial/place_texts.hpp"
#include "core/partial/stored/partitions.hpp"
#include "core/partial/stored/values.hpp"
#include "core/task.hpp"
#include "core/text_place.hpp"

#include <vector>

namespace duomap::detail {

/// The places of texts in partitions [first, last) of a partial, in input order, without duplicates.
template <map_reduce_task Task>
[[nodiscard]] std::vector<text_place> places_in(const Task& task, const partial_for<Task>& values,
                                                unsigned first, unsigned last) {
  entry_encoder entries;
  for (unsigned p = first; p < last; ++p) {
    static_cast<void>(stored_kind<Task>::store(values, p, task, entries));
    entries.clear();  // the encoder keeps the places
  }
  return entries.take_places();
}

/// Appends the place and the bytes of each text whose place the encoder has encoded.
void store_texts(entry_encoder& to, const place_texts& texts);

/// Reads the texts whose places the decoder has decoded.
/// @throws input_error when a text is missing, or belongs to none of these places
void load_texts(entry_decoder& from, place_texts& texts);

}  // namespace duomap::detail
