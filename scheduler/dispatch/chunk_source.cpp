// Slices addressable sources by grains, and reads the blocks of streams.
#include "scheduler/dispatch/chunk_source.hpp"

#include "core/error.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/slice.hpp"
#include "core/path_problem.hpp"

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

/// The value of chunk::source for the chunks of `source`. If the input is a slice, it is the source's number
/// in the larger input. Otherwise it is the index of the source.
std::uint32_t number_of(const input& from, std::uint32_t source) {
  return from[source].place().source.value_or(source);
}

std::uint64_t addressable_units_of(const input& from) {
  std::uint64_t units = 0;
  for (std::size_t i = 0; i < from.size(); ++i) units += from[i].addressable() ? from[i].units() : 0;
  return units;
}

std::uint64_t grains_of(const source& whole, std::uint64_t grain) {
  return whole.addressable() ? whole.units() / grain + (whole.units() % grain != 0) : 0;
}

// Refuses a task of indices over bytes, and a task of bytes over indices.
void require_units(const source& one, bool are_indices) {
  if (one.addressable() && one.units() == 0) return;
  const bool has_bytes = !one.addressable() || one.bytes().data != nullptr;
  if (are_indices && has_bytes)
    throw usage_error("the format duomap::index_range has indices, and " + quoted(one.name()) +
                      " has bytes; give the run duomap::index_input(count)");
  if (!are_indices && !has_bytes)
    throw usage_error(
        "the task's format has records of bytes, and the input has indices; give the run files or "
        "memory, or the task the format duomap::index_range");
}

// The size of a grain, usually that of the record format. It is smaller for a small input. It is larger from
// ten trillion indices on, because there would be too many grains to count.
std::uint64_t grain_for(std::uint64_t units, std::uint64_t of_records, std::uint32_t least_grains) {
  constexpr std::uint64_t most_grains = std::uint64_t{1} << 31;  // each source may add one more
  return std::max(std::clamp<std::uint64_t>(units / least_grains, 1, of_records), units / most_grains + 1);
}

}  // namespace

chunk_source::chunk_source(const input& from, const boundary& records, const chunk_source_options& options,
                           const run_control* control)
  : input_(from),
    records_(records),
    options_(options),
    control_(control),
    addressable_units_(addressable_units_of(from)),
    grain_(grain_for(addressable_units_, records.grain(), options.least_grains)),
    has_streams_(!streams_of(from).empty()),
    streams_(streams_of(from), options.memory),
    block_bytes_(std::min(options.first_block_bytes, options.block_bytes)) {
  std::uint64_t first_grain = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    require_units(from[i], records.indices());
    const std::uint64_t grains = grains_of(from[i], grain_);
    if (grains == 0) continue;
    if (records_.binary()) require_binary(from[i]);
    const std::uint64_t end_grain = first_grain + grains;
    expects(end_grain <= std::numeric_limits<std::uint32_t>::max(), "an input has at most 2^31 sources");
    extents_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(first_grain),
                        static_cast<std::uint32_t>(end_grain)});
    first_grain = end_grain;
  }
}

const source& chunk_source::source_of(std::uint32_t number) const {
  std::uint32_t index = 0;
  while (number_of(input_, index) != number) ++index;
  return input_[index];
}

std::string chunk_source::stop_of(const stopped_by_map& seen) const {
  return (records_.indices() ? "index " : "byte ") + std::to_string(seen.offset()) + " of " +
         quoted(source_of(seen.source()).name());
}

std::string chunk_source::place_of(const chunk& of, std::optional<std::uint64_t> unit) const {
  const std::string kind = of.data == nullptr ? "index" : "byte";
  const std::string whole = " of " + quoted(source_of(of.source).name());
  if (unit) return "; at " + kind + " " + std::to_string(*unit) + whole;
  return "; between " + kind + " " + std::to_string(of.offset) + " and " +
         std::to_string(of.offset + of.size) + whole;
}

void chunk_source::stop() {
  stopped_.store(true, std::memory_order_relaxed);
  streams_.stop();
  const std::lock_guard lock(readers_mutex_);
  if (readers_) readers_->stop();
}

std::optional<chunk> chunk_source::next_block(taker& mine, bool wait) {
  if (!has_streams_) return std::nullopt;
  took_block(mine);
  block& into = mine.blocks_[mine.next_block_];
  const std::optional<std::uint32_t> source =
      options_.readers > 0 ? readers().take(into, wait) : read_block(into, wait);
  if (!source) return std::nullopt;
  mine.next_block_ = (mine.next_block_ + 1) % mine.blocks_.size();
  mine.block_bytes_ = block_bytes_.load(std::memory_order_relaxed);
  mine.given_ = std::chrono::steady_clock::now();
  return into.records(number_of(input_, *source));
}

std::optional<std::uint32_t> chunk_source::read_block(block& into, bool wait) {
  for (;;) {
    stream_pool::turn turn = streams_.take(into, wait);
    if (turn.source || turn.stream == nullptr) return turn.source;
    if (const auto source = read_stream(std::move(turn.stream), into)) return source;
  }
}

/// Reads a block of the stream that the caller holds. It may return an older block in its place, which was
/// passed on but not taken. No value: the stream has ended.
std::optional<std::uint32_t> chunk_source::read_stream(std::unique_ptr<stream_pool::open_stream> stream,
                                                       block& into) {
  const std::uint32_t source = stream->source;
  if (!stream->reader) {
    stream->reader = std::make_shared<block_reader>(input_[source].open(control_), records_,
                                                    options_.block_bytes, input_[source].name());
    if (records_.binary()) require_binary(input_[source]);
  }
  // The pointer keeps the reader alive. Another worker may end the stream while this one maps its block.
  const std::shared_ptr<block_reader> reader = stream->reader;
  for (;;) {
    stop_if_cancelled(control_);
    reader->set_target(block_bytes_.load(std::memory_order_relaxed));
    const bool found = reader->next(into, [&] { streams_.release(std::move(stream), false); });
    if (!stream) return found ? std::optional(source) : std::nullopt;
    if (!found) {
      input_[source].set_stream_end(reader->position());
      streams_.release(std::move(stream), true);
      return std::nullopt;
    }
    if (const auto oldest = streams_.pass_on(into, source)) {
      streams_.release(std::move(stream), false);
      return oldest;
    }
  }
}

// Doubles the size of the next blocks if the worker needed less than a millisecond for a block of this size.
void chunk_source::took_block(taker& mine) {
  constexpr std::chrono::milliseconds enough{1};
  if (mine.block_bytes_ > 0 && mine.block_bytes_ < options_.block_bytes &&
      std::chrono::steady_clock::now() - mine.given_ < enough)
    block_bytes_.compare_exchange_strong(
        mine.block_bytes_, std::min(2 * mine.block_bytes_, options_.block_bytes), std::memory_order_relaxed);
}

block_readers& chunk_source::readers() {
  const std::lock_guard lock(readers_mutex_);
  if (!readers_) {
    readers_.emplace(
        options_.readers, [this](block& into) { return read_block(into, true); }, options_.memory);
  }
  return *readers_;
}

chunk_source::part chunk_source::cut(grain_range grains) const {
  stop_if_cancelled(control_);
  // A claim may cover the end of one source and the beginning of the next. Each source gets its own chunk.
  const auto place =
      std::upper_bound(extents_.begin(), extents_.end(), grains.begin,
                       [](std::uint32_t grain, const extent& e) { return grain < e.end_grain; });
  const source& whole = input_[place->source];
  const std::uint32_t end = std::min(grains.end, place->end_grain);
  const std::uint64_t from = (grains.begin - place->first_grain) * grain_;
  const std::uint64_t to = end == place->end_grain ? whole.units() : (end - place->first_grain) * grain_;
  return {{grains.begin, end}, slice(whole, place->source, from, to, records_)};
}

}  // namespace duomap::scheduler
