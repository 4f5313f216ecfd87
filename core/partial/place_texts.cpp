// Copies, finds and merges texts by their places.
#include "core/partial/place_texts.hpp"

#include "core/error.hpp"
#include "core/input/input_texts.hpp"

#include <string>
#include <utility>

namespace duomap {

place_texts::place_texts(const input& from, const std::vector<text_place>& places) {
  const input_texts texts(from, places);
  for (const text_place& place : places) texts_.try_emplace(place, texts[place].text());
}

const std::string* place_texts::find(const text_place& place) const {
  const auto found = texts_.find(place);
  return found == texts_.end() ? nullptr : &found->second;
}

bool place_texts::add(const text_place& place, byte_view text) {
  const auto [found, is_new] = texts_.try_emplace(place, text.text());
  return is_new || found->second == text.text();
}

void place_texts::add(place_texts more, const std::string& whose) {
  texts_.merge(more.texts_);
  // After merge(), `more` has only texts whose places this object had already.
  for (const auto& [place, text] : more.texts_) {
    if (*find(place) == text) continue;
    throw input_error(whose + " has other bytes than another partial for the text at byte " +
                      std::to_string(place.offset) + " of source " + std::to_string(place.source) +
                      "; the source was changed between two maps: map all parts again");
  }
}

void place_texts::keep(const std::vector<text_place>& places) {
  decltype(texts_) kept;
  for (const text_place& place : places) {
    if (auto one = texts_.extract(place)) kept.insert(std::move(one));
  }
  texts_ = std::move(kept);
}

}  // namespace duomap
