// How long the device takes for each stage of the sort engine. For host code; needs CUDA's headers.
#pragma once

#include "core/engine_kind.hpp"
#include "gpu/runtime/stream.cuh"

#include <array>

namespace duomap::gpu {

/// Times pieces one after the other, on one stream. Two sets of events, so that nobody waits for a time:
/// those of a piece are read when the stream has passed it anyway.
class stage_clock {
 public:
  enum stage : unsigned { begun, written, grouped, reduced };

  /// A piece begins.
  void begin(const stream& on) {
    now_ = 1 - now_;
    pieces_[now_].reached = begun;
    pieces_[now_].ends[begun].record(on);
    pieces_[now_].is_counted = false;
  }

  /// Its next stage ends; stages may be left out at the end.
  void end(stage which, const stream& on) {
    pieces_[now_].ends[which].record(on);
    pieces_[now_].reached = which;
  }

  /// Once the stream has passed the piece before.
  void count_previous(engine_figures& into) { count(pieces_[1 - now_], into); }
  /// Once it has passed all.
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
