// Measures the device's time for each stage of the sort engine. For host code; needs CUDA's headers.
#pragma once

#include "core/engine_kind.hpp"
#include "gpu/runtime/stream.cuh"

#include <array>

namespace duomap::gpu {

/// Times pieces one after the other, on one stream. Two sets of events take turns. So a piece's times are
/// read after the stream has passed its events, and the read never waits.
class stage_clock {
 public:
  enum stage : unsigned { begun, written, grouped, reduced };

  void begin(const stream& on) {
    now_ = 1 - now_;
    pieces_[now_].reached = begun;
    pieces_[now_].ends[begun].record(on);
    pieces_[now_].is_counted = false;
  }

  /// Ends the piece's next stage. A piece may leave out its last stages.
  void end(stage which, const stream& on) {
    pieces_[now_].ends[which].record(on);
    pieces_[now_].reached = which;
  }

  /// Adds the times of the piece before the last one. The stream must have passed that piece.
  void count_previous(engine_figures& into) { count(pieces_[1 - now_], into); }
  /// Adds the times of the last piece. The stream must have passed it.
  void count_last(engine_figures& into) { count(pieces_[now_], into); }

 private:
  struct piece {
    std::array<event, 4> ends;
    stage reached = begun;
    bool is_counted = true;
  };

  static void count(piece& one, engine_figures& into) {
    if (one.is_counted) return;
    one.is_counted = true;
    const auto seconds = [&](stage which) {
      return which <= one.reached ? one.ends[which].seconds_since(one.ends[which - 1]) : 0;
    };
    into.write_seconds += seconds(written);
    into.group_seconds += seconds(grouped);
    into.reduce_seconds += seconds(reduced);
  }

  std::array<piece, 2> pieces_;
  unsigned now_ = 0;
};

}  // namespace duomap::gpu
