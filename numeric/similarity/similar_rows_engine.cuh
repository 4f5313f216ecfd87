// Compares the rows of chunks with all others on a GPU.
#pragma once

#include "core/compact_key.hpp"
#include "core/key.hpp"
#include "core/memory_reservation.hpp"
#include "core/partial/collected.hpp"
#include "gpu/blas/device_product.cuh"
#include "gpu/engines/custom/engine.cuh"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/engines/sort/run_part.hpp"
#include "gpu/engines/to_host.cuh"
#include "gpu/feed/shared_rows.cuh"
#include "gpu/options.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/recycling_queue.hpp"
#include "gpu/runtime/release.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/similarity/pair_kernels.cuh"
#include "numeric/similarity/similar_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// All vectors are on the device from the start, and a chunk is a range of row numbers. One buffer takes the
/// products of a tile of rows with a tile of other rows. Before the next products come, a kernel picks the
/// pairs to keep.
template <>
class custom_engine<similar_rows> final : public engine {
 public:
  custom_engine(const similar_rows& task, const backend_options& options, const engine_surroundings& with,
                host_partials<similar_rows>& host)
    : task_(task),
      on_(with.compute),
      host_(host),
      vectors_({reinterpret_cast<const char*>(task.vectors), task.count, task.columns * sizeof(float),
                task.columns * sizeof(float)},
               task.vector_parts, with),
      scores_(rows_at_once * others_at_once * sizeof(float), with.compute),
      product_(task.kind, with.compute),
      collected_(options.memory),
      bring_({options.feed.cores.begin(), options.feed.cores.end()}) {}

  ~custom_engine() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::custom; }

  void enqueue(const chunk& resident) override {
    vectors_.wait();
    auto next = open_.spare();
    next->part = resident;
    queue(*next, resident.offset, resident.size);
    open_.push(std::move(next));
  }

  void finish_oldest() override {
    open_chunk& oldest = open_.front();
    emit_run<similar_pair> run{oldest.part.source, oldest.part.offset, {}};
    take(oldest, oldest.part.offset, oldest.part.size, run.entries);
    if (!run.entries.empty()) finished_.runs.push_back(std::move(run));
    open_.pop();
  }

  void commit() override {
    expects(open_.empty(), "an engine is committed when no chunk is open");
    if (!finished_.runs.empty())
      host_.push_back(std::make_unique<run_part<similar_rows>>(task_, std::exchange(finished_, {})));
    collected_.keep();
  }

  void forget() override {
    finished_ = {};
    collected_.give_back();
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    if (product_.note().empty()) return {};
    return {product_.note()};
  }

 private:
  // The rows of a tile: enough to keep all warps of a large GPU busy, because each warp looks at one row. A
  // tile has 64 MiB of products.
  static constexpr std::uint64_t rows_at_once = 4096;
  static constexpr std::uint64_t others_at_once = 4096;
  // The number of pairs for which a chunk has room, 48 MB. A chunk with more pairs is done again in two
  // halves.
  static constexpr std::uint64_t least_room = std::uint64_t{1} << 22;

  using entries = emit_list<similar_pair>;

  struct open_chunk {
    chunk part;
    device_buffer kept;  // pairs, or lists of the best rows
    device_buffer found;
    pinned_buffer found_here{sizeof(unsigned long long)};
    event mapped;
  };

  // Has room for at least one pair of each vector, so that the pairs of one row always fit.
  [[nodiscard]] std::uint64_t room() const { return std::max(least_room, task_.count); }
  [[nodiscard]] std::uint64_t most_best() const { return std::min(task_.best, task_.count); }

  void queue(open_chunk& into, std::uint64_t begin, std::uint64_t rows) {
    const std::uint64_t bytes =
        task_.best > 0 ? rows * most_best() * sizeof(scored_row) : room() * sizeof(similar_pair);
    if (into.kept.size() < bytes) {
      into.kept = {};
      into.kept = device_buffer(bytes, on_);
    }
    if (task_.best > 0) {
      const std::uint64_t places = rows * most_best();
      launch(clear_best, {blocks_for(places, pair_threads), pair_threads, 0, on_.get()},
             into.kept.as<scored_row>(), places);
    } else {
      if (into.found.size() == 0) into.found = device_buffer(sizeof(unsigned long long), on_);
      check(cudaMemsetAsync(into.found.as<void>(), 0, into.found.size(), on_.get()), "clearing a count");
    }
    for (std::uint64_t row = begin; row < begin + rows; row += rows_at_once) {
      const std::uint64_t count = std::min(rows_at_once, begin + rows - row);
      if (task_.best > 0) {
        map_tiles(row, count, {0, task_.count}, [&](const score_tile& tile) {
          launch(keep_best, {blocks_for(count, pair_threads / 32), pair_threads, 0, on_.get()}, tile,
                 most_best(), into.kept.as<scored_row>() + (row - begin) * most_best());
        });
        continue;
      }
      const cyclic_pairs band{task_.count};
      for (const cyclic_pairs::range others : band.others(row, row + count)) {
        map_tiles(row, count, others, [&](const score_tile& tile) {
          launch(keep_above, {blocks_for(count, pair_threads / 32), pair_threads, 0, on_.get()}, tile, band,
                 task_.threshold, into.kept.as<similar_pair>(), room(), into.found.as<unsigned long long>());
        });
      }
    }
    if (task_.best == 0) {
      check(cudaMemcpyAsync(into.found_here.as<void>(), into.found.as<void>(), into.found.size(),
                            cudaMemcpyDeviceToHost, on_.get()),
            "reading how many pairs a chunk has");
    }
    into.mapped.record(on_);
  }

  template <class Keep>
  void map_tiles(std::uint64_t row, std::uint64_t rows, cyclic_pairs::range others, const Keep& keep) {
    const float* const vectors = vectors_.as<float>();
    for (std::uint64_t other = others.begin; other < others.end; other += others_at_once) {
      const std::uint64_t width = std::min(others_at_once, others.end - other);
      product_.multiply(rows, width, task_.columns,
                        operand<float>{vectors + row * task_.columns, task_.columns},
                        operand<float>{vectors + other * task_.columns, task_.columns, true},
                        result_operand<float>{scores_.as<float>(), width});
      keep(score_tile{scores_.as<float>(), rows, width, row, other});
    }
  }

  // Brings the kept pairs of queued rows to the host.
  void take(open_chunk& from, std::uint64_t begin, std::uint64_t rows, entries& all) {
    from.mapped.wait();
    if (task_.best > 0) return take_best(from, begin, rows, all);
    const std::uint64_t found = *from.found_here.as<unsigned long long>();
    if (found > room()) {
      for (const auto& [first, count] :
           {std::pair{begin, rows / 2}, std::pair{begin + rows / 2, rows - rows / 2}}) {
        queue(from, first, count);
        take(from, first, count, all);
      }
      return;
    }
    pairs_.resize(found);
    if (found > 0) bring_.copy(pairs_.data(), from.kept.as<void>(), found * sizeof(similar_pair), back_);
    bring_.wait();
    make_room(found, all);
    for (const similar_pair& one : pairs_) all.push_back({no_key_stored(), one});
  }

  void take_best(const open_chunk& from, std::uint64_t begin, std::uint64_t rows, entries& all) {
    lists_.resize(rows * most_best());
    bring_.copy(lists_.data(), from.kept.as<void>(), lists_.size() * sizeof(scored_row), back_);
    bring_.wait();
    make_room(lists_.size(), all);
    for (std::uint64_t i = 0; i < lists_.size(); ++i) {
      if (std::isinf(lists_[i].cosine)) continue;  // there are fewer other rows than wanted
      all.push_back({no_key_stored(), similar_pair{static_cast<std::uint32_t>(begin + i / most_best()),
                                                   lists_[i].row, lists_[i].cosine}});
    }
  }

  void make_room(std::uint64_t more, entries& all) {
    collected_.take(more * sizeof(entries::value_type), "what a GPU has collected");
    all.reserve(all.size() + more);
  }

  [[nodiscard]] static compact_key no_key_stored() {
    return compact_key::of_short(key_bytes(result_key<no_key>{}));
  }
  [[nodiscard]] static unsigned blocks_for(std::uint64_t count, std::uint64_t of_each) {
    return static_cast<unsigned>((count + of_each - 1) / of_each);
  }

  const similar_rows task_;
  const stream& on_;
  host_partials<similar_rows>& host_;
  shared_rows vectors_;
  device_buffer scores_;
  device_product product_;
  stream back_;
  memory_reservation collected_;  // for pairs of finished chunks that are not committed
  // Buffers of copies under way, which must outlive the thread that copies.
  std::vector<similar_pair> pairs_;
  std::vector<scored_row> lists_;
  to_host bring_;
  recycling_queue<open_chunk> open_;
  collected_partial<similar_pair> finished_;
};

}  // namespace duomap::gpu
