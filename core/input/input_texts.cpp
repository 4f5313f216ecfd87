// Copies the texts at places of an input.
#include "core/input/input_texts.hpp"

#include "core/error.hpp"
#include "core/partial/place_texts.hpp"
#include "core/path_problem.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace duomap {
namespace {

[[noreturn]] void throw_ended(const source& from) {
  throw input_error(quoted(from.name()) + " ends before a text of the result; was it changed?");
}

/// Reads the texts at some places of one source. `places` is sorted; copies[i] gets the text at places[i].
void copy_texts(const source& from, std::span<const text_place> places, std::string* copies) {
  std::unique_ptr<byte_stream> stream;
  try {
    stream = from.open();
  } catch (const usage_error&) {
    throw usage_error("the texts of the result are read from " + quoted(from.name()) +
                      " when the run is over, and it can be read only once; give a file");
  }
  std::vector<char> block(std::size_t{1} << 20);
  std::vector<std::size_t> unfinished;  // places that begin before the block's end and end behind it
  std::size_t next = 0;
  std::uint64_t at = 0;  // position of the block in the source
  const auto empty_ones = [&] {
    while (next < places.size() && places[next].size == 0) ++next;
  };
  for (empty_ones(); next < places.size() || !unfinished.empty(); empty_ones()) {
    const std::uint64_t size = stream->read(block.data(), block.size());
    if (size == 0) throw_ended(from);
    for (; next < places.size() && places[next].offset < at + size; ++next) {
      if (places[next].size > 0) unfinished.push_back(next);
    }
    std::erase_if(unfinished, [&](std::size_t i) {
      const text_place& place = places[i];
      const std::uint64_t begin = std::max(place.offset, at);
      const std::uint64_t end = std::min(place.offset + place.size, at + size);
      copies[i].append(block.data() + (begin - at), end - begin);
      return end == place.offset + place.size;
    });
    at += size;
  }
}

}  // namespace

std::vector<text_place> each_place_once(std::vector<text_place> places) {
  std::ranges::sort(places, stands_before);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

input_texts::input_texts(const input& from, std::vector<text_place> places)
  : places_(each_place_once(std::move(places))) {
  copies_.resize(places_.size());
  texts_.resize(places_.size());
  for (std::size_t first = 0; first < places_.size();) {
    std::size_t end = first;
    while (end < places_.size() && places_[end].source == places_[first].source) ++end;
    if (places_[first].source >= from.size())
      throw usage_error("the place of a text is in source " + std::to_string(places_[first].source) +
                        ", and the input has " + std::to_string(from.size()));
    const source& one = from[places_[first].source];
    if (one.addressable()) {
      const byte_view bytes = one.bytes();
      for (std::size_t i = first; i < end; ++i) {
        if (places_[i].offset > bytes.size || places_[i].size > bytes.size - places_[i].offset)
          throw_ended(one);
        texts_[i] = bytes.sub(places_[i].offset, places_[i].size);
      }
    } else {
      copy_texts(one, std::span(places_).subspan(first, end - first), &copies_[first]);
      for (std::size_t i = first; i < end; ++i) texts_[i] = byte_view(copies_[i]);
    }
    static_cast<void>(one.change());  // no place lies in bytes that were appended later
    first = end;
  }
}

input_texts::input_texts(const place_texts& from, std::vector<text_place> places)
  : places_(each_place_once(std::move(places))) {
  for (const text_place& place : places_) {
    const std::string* const text = from.find(place);
    if (text == nullptr && place.size > 0)
      throw usage_error("the partials have no text of " + std::to_string(place.size) + " bytes at byte " +
                        std::to_string(place.offset) + " of source " + std::to_string(place.source) +
                        ": they have those of the places in keys and values, and the task's finish() has "
                        "made another place; make it in map");
    texts_.push_back(text == nullptr ? byte_view() : byte_view(*text));
  }
}

byte_view input_texts::operator[](const text_place& place) const {
  const auto found = std::ranges::lower_bound(places_, place, stands_before);
  expects(found != places_.end() && *found == place, "a text is asked for that was not to be read");
  return texts_[static_cast<std::size_t>(found - places_.begin())];
}

}  // namespace duomap
