// Finds where each of several patterns occurs in texts.
#pragma once

#include "apps/tasks/stringmatch/pattern_index.hpp"
#include "apps/tasks/stringmatch/pattern_list.hpp"
#include "core/record/strips.hpp"
#include "core/task.hpp"
#include "core/text/count.hpp"
#include "core/text/load.hpp"
#include "gpu/make_backend.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>

namespace duomap::apps {

/// The place where a pattern occurs. Under the key stringmatch::group_end it is the place where a group ends.
struct place {
  std::uint64_t offset;    ///< in its source
  std::uint32_t source;    ///< index in the input
  std::uint32_t newlines;  ///< newlines in its group before the offset
};

/// pattern -> place, collected (Mars; He et al., PACT 2008, section 5: String Match). Occurrences may
/// overlap. Places are in input order; at one place shorter patterns come first. A map knows only its own
/// group of text: it emits the number of newlines in the group, and for_each_match() adds these numbers up to
/// line numbers.
struct stringmatch {
  using format = strips;
  using key = std::uint32_t;
  using reduce = collect<place>;

  /// This key, in the place of a pattern's number, marks the end of a group.
  static constexpr std::uint32_t group_end = ~std::uint32_t{0};

  pattern_index index;
  const pattern_list* patterns;  ///< for the CPU; outlives the task

  explicit stringmatch(const pattern_list& all) : index(all.index()), patterns(&all) {}

  DUOMAP_HD void visit_broadcast(auto&& visit) { index.visit_broadcast(visit); }

  /// Checks an entry of a stored partial: the pattern is in the list, and the place is in the input.
  void check_stored(std::uint32_t pattern, const place& at, const auto& check) const {
    if (pattern != group_end) check.index("a pattern's number", pattern, patterns->size());
    check.place(at.source, at.offset);
  }

  /// Speed depends on how often heads of patterns occur, and so on the number of patterns. All numbers
  /// between two powers of two share a profile.
  [[nodiscard]] std::string profile_parameters() const {
    return std::to_string(std::bit_width(patterns->size())) + (index.ignore_case ? " ignore-case" : "");
  }

  DUOMAP_HD void map(const strip& text, auto& emit) const {
    std::uint32_t candidates = index.candidates(text.data);
    if (text.positions < strips::width) candidates &= (1u << text.positions) - 1;
    for (; candidates != 0; candidates &= candidates - 1) {
      const std::uint32_t at = lowest_bit(candidates);
      const char* const there = text.data + at;
      index.for_each_beginning(
          index.seen(load_eight(there)), {there, text.rest - at}, [&](std::uint32_t pattern) {
            emit(pattern, place{text.offset + at, text.source, newlines_before(text, at)});
          });
    }
    if (!text.ends_group) return;
    const std::uint32_t newlines = newlines_before(text, text.positions);
    if (newlines > 0)
      emit(std::uint32_t{group_end}, place{text.offset + text.positions, text.source, newlines});
  }

  /// Maps a whole chunk as one group. Vector instructions find the candidates of a tile, and the index checks
  /// each candidate.
  void map_chunk(const chunk& part, auto& emit) const {
    const cpu::vector_path path = cpu::active_vector_path();
    const auto find_pair = cpu::find_byte_pair_for(path);
    const auto find_beginnings = cpu::find_beginnings_for(path);
    const bool one = patterns->size() == 1;
    const std::uint64_t shortest = patterns->shortest();
    const std::uint64_t positions = part.size < shortest ? 0 : part.size - shortest + 1;

    std::array<std::uint16_t, cpu::candidate_tile + cpu::candidate_slack> candidates;
    std::uint32_t newlines = 0;  // newlines before `begin`
    for (std::uint64_t begin = 0; begin < positions; begin += cpu::candidate_tile) {
      const auto count =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(cpu::candidate_tile, positions - begin));
      const char* const tile = part.data + begin;
      const cpu::candidates found = one ? find_pair(tile, count, patterns->pair(), candidates.data())
                                        : find_beginnings(tile, count, patterns->starts(), candidates.data());
      std::uint32_t counted = newlines;  // newlines before the last match
      const char* up_to = tile;
      for (std::uint32_t i = 0; i < found.count; ++i) {
        const char* const at = tile + candidates[i];
        const byte_view text{at, part.size - begin - candidates[i]};
        index.for_each_beginning(index.seen(load_eight(at)), text, [&](std::uint32_t pattern) {
          counted += static_cast<std::uint32_t>(std::count(up_to, at, '\n'));
          up_to = at;
          emit(pattern, place{part.offset + begin + candidates[i], part.source, counted});
        });
      }
      newlines += found.newlines;
    }
    newlines += static_cast<std::uint32_t>(std::count(part.data + positions, part.data + part.size, '\n'));
    if (newlines > 0) emit(group_end, place{part.offset + part.size, part.source, newlines});
  }

 private:
  static_assert(strips::width == 32, "pattern_index::candidates() has a bit for each position");

  [[nodiscard]] DUOMAP_HD static std::uint32_t newlines_before(const strip& text, std::uint32_t positions) {
    return text.newlines_before +
           static_cast<std::uint32_t>(count_byte(byte_view{text.data, positions}, '\n'));
  }

  [[nodiscard]] DUOMAP_HD static std::uint32_t lowest_bit(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits))) - 1;
#else
    return static_cast<std::uint32_t>(std::countr_zero(bits));
#endif
  }
};

}  // namespace duomap::apps

template <>
inline constexpr bool duomap::may_emit_nothing<duomap::apps::stringmatch> = true;
template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::stringmatch> = DUOMAP_HAS_CUDA;
