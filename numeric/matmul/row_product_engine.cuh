// Multiplies the rows of chunks on a GPU.
#pragma once

#include "gpu/blas/device_product.cuh"
#include "gpu/engines/custom/engine.cuh"
#include "gpu/engines/custom/placed_output.cuh"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/feed/device_memory.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/feed/shared_rows.cuh"
#include "gpu/options.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/matmul/row_product.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace duomap::gpu {

/// The right factor is on the device from the start. The engine computes the product in tiles of a few rows,
/// and copies each tile to its place while it computes later tiles. If the place is in the device's memory,
/// the engine writes there directly.
template <class T>
class custom_engine<row_product<T>> final : public engine {
 public:
  custom_engine(const row_product<T>& task, const backend_options& /*options*/,
                const engine_surroundings& with, host_partials<row_product<T>>& /*host*/)
    : task_(task),
      on_(with.compute),
      right_({reinterpret_cast<const char*>(task.right.data), task.terms, task.columns * sizeof(T),
              task.right.stride * sizeof(T)},
             task.right_parts, with),
      product_(task.kind, with.compute),
      // Takes enough threads to bring back the product as fast as the left factor arrives, if there are cores
      // for them.
      place_(with.gate, std::clamp(usable_cores() / 2, 1u, 8u)) {
    if (!direct_) {
      for (tile& one : tiles_) one.sums = device_buffer(tile_rows() * row_bytes(), on_);
    }
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::custom; }

  void enqueue(const chunk& resident) override {
    right_.wait();
    const std::uint64_t rows = resident.size / task_.records().row_bytes();
    const std::uint64_t first = resident.offset / task_.records().row_bytes();
    const T* const left = reinterpret_cast<const T*>(resident.data);
    open_.emplace_back();
    if (direct_) {
      product_.multiply(rows, task_.columns, task_.terms, operand<T>{left, task_.terms},
                        operand<T>{right_.template as<T>(), task_.columns},
                        result_operand<T>{task_.out.data + first * task_.out.stride, task_.out.stride});
      return;
    }
    for (std::uint64_t row = 0; row < rows; row += tile_rows()) {
      const std::uint64_t count = std::min(tile_rows(), rows - row);
      tile& mine = tiles_[next_++ % tiles_.size()];
      if (mine.placed != nullptr) place_.wait(*mine.placed);
      product_.multiply(count, task_.columns, task_.terms, operand<T>{left + row * task_.terms, task_.terms},
                        operand<T>{right_.template as<T>(), task_.columns},
                        result_operand<T>{mine.sums.template as<T>(), task_.columns});
      if (task_.out.data == nullptr) continue;
      mine.computed.record(on_);
      char* const to = reinterpret_cast<char*>(task_.out.data + (first + row) * task_.out.stride);
      mine.placed = place_.start(mine.sums.template as<char>(), count,
                                 {to, row_bytes(), task_.out.stride * sizeof(T)}, mine.computed);
      open_.back().push_back(mine.placed);
    }
  }

  void finish_oldest() override {
    for (const auto& one : open_.front()) place_.wait(*one);
    open_.pop_front();
  }

  // There is nothing to commit, because the rows of a finished chunk are already in their place.
  void commit() override {}
  void forget() override {}

  [[nodiscard]] std::vector<std::string> notes() const override {
    if (product_.note().empty()) return {};
    return {product_.note()};
  }

 private:
  // Bytes of a tile, which is computed at once. With tiles of 32 MiB, 1024 rows of 8192 floats, an H200
  // multiplies 8192 x 8192 matrices in 21.3 ms, as fast as in one piece. Smaller tiles are slower. The GPU
  // computes nothing while the last tile travels.
  static constexpr std::uint64_t tile_bytes = std::uint64_t{32} << 20;

  struct tile {
    device_buffer sums;
    event computed;
    std::shared_ptr<placed_output::transfer> placed;
  };

  [[nodiscard]] std::uint64_t row_bytes() const { return task_.columns * sizeof(T); }
  [[nodiscard]] std::uint64_t tile_rows() const {
    return std::max<std::uint64_t>(1, tile_bytes / row_bytes());
  }

  const row_product<T> task_;
  const bool direct_ = task_.out.data != nullptr && gpu_of(task_.out.data).has_value();
  const stream& on_;
  shared_rows right_;
  device_product product_;
  std::array<tile, 3> tiles_;
  std::uint64_t next_ = 0;
  placed_output place_;  // destroyed before the tiles, which it reads
  std::deque<std::vector<std::shared_ptr<placed_output::transfer>>> open_;
};

}  // namespace duomap::gpu
