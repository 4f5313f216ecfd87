// Writes the texts of a partition behind its entries, and reads them back.
#include "core/partial/stored/stored_texts.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <string>

namespace duomap::detail {

void store_texts(entry_encoder& to, const place_texts& texts) {
  const std::vector<text_place> places = to.take_places();
  to.number(places.size());
  for (const text_place& place : places) {
    const std::string* const text = texts.find(place);
    expects(text != nullptr, "a partial lacks the text of a place: map_partial() reads it");
    to.number(place.source);
    to.number(place.offset);
    to.text(std::string_view(*text));
  }
}

void load_texts(entry_decoder& from, place_texts& texts) {
  std::vector<text_place> places = from.take_places();
  constexpr std::uint64_t least_bytes = 3;
  if (from.count(least_bytes) != places.size())
    from.refuse("it has not one text for each of its " + std::to_string(places.size()) + " places");
  for (const text_place& place : places) {
    const std::uint64_t source = from.number(), offset = from.number();
    const byte_view text = from.text();
    if (place != text_place{text.size, offset, source})
      from.refuse("it has a text of " + std::to_string(text.size) + " bytes at byte " +
                  std::to_string(offset) + " of source " + std::to_string(source) +
                  ", which is none of its places");
    if (!texts.add(place, text))
      from.refuse("it has two texts for byte " + std::to_string(offset) + " of source " +
                  std::to_string(source));
  }
}

}  // namespace duomap::detail
