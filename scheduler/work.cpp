#include "scheduler/work.hpp"

#include "core/error.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/slice.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace duomap::scheduler {
namespace {

std::vector<std::uint32_t> streams_of(const input& from) {
  std::vector<std::uint32_t> streams;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!from[i].addressable()) streams.push_back(static_cast<std::uint32_t>(i));
  }
  return streams;
}

std::uint64_t grains_of(const source& whole, std::uint64_t grain) {
  return whole.addressable() ? (whole.units() + grain - 1) / grain : 0;
}

std::uint32_t count_grains(const input& from, std::uint64_t grain) {
  std::uint64_t grains = 0;
  for (std::size_t i = 0; i < from.size(); ++i) grains += grains_of(from[i], grain);
  // 2^32 grains of 64 KiB are 256 TiB.
  expects(grains <= std::numeric_limits<std::uint32_t>::max(),
          "an input has at most 2^32 - 1 grains; use larger grains");
  return static_cast<std::uint32_t>(grains);
}

}  // namespace

work::work(const input& from, const boundary& records, const work_options& options,
           const run_control* control)
  : input_(from),
    records_(records),
    options_(options),
    control_(control),
    grain_(records.grain()),
    streams_(streams_of(from)),
    grains_(count_grains(from, grain_)) {
  std::uint32_t first_grain = 0;
  bool all_known = true;
  for (std::size_t i = 0; i < from.size(); ++i) {
    all_known = all_known && from[i].addressable();
    const auto grains = static_cast<std::uint32_t>(grains_of(from[i], grain_));
    if (grains == 0) continue;
    extents_.push_back({static_cast<std::uint32_t>(i), first_grain, first_grain + grains});
    first_grain += grains;
    known_units_ += from[i].units();
  }
  if (!all_known) known_units_ = 0;
}

std::optional<chunk> work::next(taker& mine) {
  if (auto block = next_block(mine, false)) return block;
  if (auto slice = next_slice(mine)) return slice;
  return next_block(mine, true);
}

void work::stop() {
  stopped_.store(true, std::memory_order_relaxed);
  streams_.stop();
}

std::optional<chunk> work::next_block(taker& mine, bool wait) {
  while (auto stream = streams_.acquire(wait)) {
    if (control_ != nullptr && control_->cancelled.load(std::memory_order_relaxed)) throw interrupted();
    const std::uint32_t source = stream->source;
    if (!stream->reader) {
      stream->reader = std::make_unique<block_reader>(input_[source].open(), records_, options_.block_bytes,
                                                      input_[source].name());
    }
    block& into = mine.blocks_[mine.next_block_];
    const bool found = stream->reader->next(into);
    streams_.release(std::move(stream), !found);
    if (!found) continue;
    mine.next_block_ = (mine.next_block_ + 1) % mine.blocks_.size();
    return into.records(source);
  }
  return std::nullopt;
}

std::optional<chunk> work::next_slice(taker& mine) {
  while (!stopped_.load(std::memory_order_relaxed)) {
    if (control_ != nullptr && control_->cancelled.load(std::memory_order_relaxed)) throw interrupted();
    if (mine.claimed_.empty()) {
      mine.claimed_ = claim(mine);
      if (mine.claimed_.empty()) return std::nullopt;
    }
    // A claim may cover the end of one source and the beginning of the next: one chunk for each.
    const auto place =
        std::upper_bound(extents_.begin(), extents_.end(), mine.claimed_.begin,
                         [](std::uint32_t grain, const extent& e) { return grain < e.end_grain; });
    const source& whole = input_[place->source];
    const std::uint32_t end = std::min(mine.claimed_.end, place->end_grain);
    const std::uint64_t from = (mine.claimed_.begin - place->first_grain) * grain_;
    const std::uint64_t to = std::min((end - place->first_grain) * grain_, whole.units());
    mine.claimed_.begin = end;
    if (auto part = slice(whole, place->source, from, to, records_)) return part;
  }
  return std::nullopt;
}

// Claims shrink with what is left, so that all takers end together. Large ones come from the low end, and
// where both kinds are at work, leaves come from the high end: each kind reads on where it was, and where
// they meet is the split between them.
grain_range work::claim(const taker& mine) noexcept {
  const std::uint32_t remaining = grains_.remaining();
  if (mine.claim_bytes_ > 0) {
    const auto most = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(mine.claim_bytes_ / grain_, 1, std::numeric_limits<std::uint32_t>::max()));
    // A quarter of what is left: the last chunks of a device are what the others may have to wait for. No
    // less than a quarter of a claim, because small ones cost more than that: shrinking from 64 MB to leaves
    // took an H200 5 ms at the end of a run, and 16 MB take it 0.5.
    const std::uint32_t fair = std::max({remaining / (4 * std::max(options_.large_takers, 1u)), most / 4,
                                         std::min(most, options_.most_grains)});
    return grains_.take_front(std::min(most, fair));
  }
  const std::uint32_t leaf = std::clamp(remaining / (2 * options_.takers), 1u, options_.most_grains);
  return options_.large_takers > 0 ? grains_.take_back(leaf) : grains_.take_front(leaf);
}

}  // namespace duomap::scheduler
