// Which of the links that were found are links: a walk over the events of the input, in order.
// host only
#pragma once

#include "apps/invertedindex/find_links.hpp"
#include "core/parallel.hpp"
#include "core/partial/collected.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

/// Consecutive emits, in pieces of the runs they stand in.
using event_slices = std::vector<std::span<const keyed_entry<markup_event>>>;

/// Bytes of a source.
struct source_range {
  std::uint32_t source;
  std::uint64_t begin;
  std::uint64_t end;
};

/// A link that the end of a chunk had cut.
struct mended_link {
  std::uint32_t source;
  std::uint64_t offset;  ///< of its '<'
  std::string href;      ///< as it stands there
};

/// What a walk has found. Both lists are in the order of the input.
struct link_context {
  std::vector<source_range> hidden;  ///< where no tag begins: in comments, scripts, styles, and other tags
  std::vector<mended_link> mended;
};

/// Goes through the events of find_links, given in parts of about one size, as a tokenizer goes through HTML,
/// one after the other; of the links, only those that hold a '<' are looked at. A comment, script or style
/// that nothing ends before the end of its source hides nothing.
[[nodiscard]] link_context resolve_links(const std::vector<event_slices>& parts, parallel& pool);

}  // namespace duomap::apps
