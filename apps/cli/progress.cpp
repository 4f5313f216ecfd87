// Measures how fast a run is and draws its progress.
#include "apps/cli/progress.hpp"

#include "apps/cli/console.hpp"
#include "apps/report/quantity.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace duomap::apps {

namespace {

constexpr std::string_view clear_line = "\r\033[K";
constexpr double rate_seconds = 30;

struct rhythm {
  double first;  // seconds
  double every;
};

rhythm rhythm_of(progress_style style) {
  switch (style) {
    case progress_style::lines:
      return {60, 60};
    case progress_style::events:
      return {1, 1};
    default:
      return {0.5, 0};
  }
}

std::string percent_text(double share) {
  const std::string number = std::to_string(static_cast<int>(share * 100));
  return std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + " %";
}

std::string bar_text(double share, std::size_t width) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(width));
  return "[" + std::string(filled, '#') + std::string(width - filled, '-') + "] ";
}

}  // namespace

progress_style progress_style_for(bool quiet, bool json) {
  if (quiet) return progress_style::none;
  if (json) return progress_style::events;
  return is_terminal(STDERR_FILENO) ? progress_style::bar : progress_style::lines;
}

void recent_rate::add(double seconds, std::uint64_t done) {
  constexpr double step = 0.1;
  if (seconds < samples_.back().seconds + step) return;
  samples_.push_back({seconds, done});
  while (samples_.size() > 2 && samples_[1].seconds <= seconds - rate_seconds) samples_.pop_front();
}

double recent_rate::units_per_second() const {
  const sample &first = samples_.front(), &last = samples_.back();
  // The number of finished units can fall, because the work of a lost device is done again.
  if (last.seconds <= first.seconds || last.done <= first.done) return 0;
  return static_cast<double>(last.done - first.done) / (last.seconds - first.seconds);
}

std::optional<double> progress_state::seconds_left() const {
  if (total == 0 || done == 0 || done >= total || !(rate > 0)) return std::nullopt;
  return static_cast<double>(total - done) / rate;
}

std::string progress_text(const progress_state& now, std::size_t columns) {
  const std::string speed = "  " + rate_text(static_cast<std::uint64_t>(now.rate), 1, now.unit);
  const std::string gpu =
      now.gpu_share > 0 ? "  GPU " + std::to_string(static_cast<int>(now.gpu_share * 100)) + " %" : "";
  const auto left = now.seconds_left();
  const std::string rest = left ? "  " + duration_text(*left) + " left" : "";
  // Takes the longest text that fits. A line that wraps could not be removed any more.
  const auto widest = [&](std::initializer_list<std::string> texts) {
    for (const std::string& text : texts) {
      if (text.size() < columns) return text;
    }
    return std::string();
  };
  if (now.total == 0) {
    const std::string done = amount_text(now.done, now.unit);
    return widest({done + " done" + speed + gpu, done + " done" + speed, done + " done", done});
  }
  // At most 100 %. A file that grows while it is read would give more.
  const double share = std::min(1.0, static_cast<double>(now.done) / static_cast<double>(now.total));
  const std::string percent = percent_text(share);
  const std::string amounts = "  " +
                              (now.unit == input_unit::bytes ? bytes_text(now.done) : count_text(now.done)) +
                              " of " + amount_text(now.total, now.unit);
  constexpr std::size_t wide = 24, narrow = 10;
  return widest({bar_text(share, wide) + percent + amounts + speed + gpu + rest,
                 bar_text(share, narrow) + percent + amounts + speed + gpu + rest,
                 bar_text(share, narrow) + percent + speed + gpu + rest,
                 bar_text(share, narrow) + percent + speed + rest, percent + speed + rest, percent + rest,
                 percent});
}

std::string progress_event(const progress_state& now) {
  const auto left = now.seconds_left();
  nlohmann::ordered_json event = {{"event", "progress"},          {"seconds", now.seconds},
                                  {"units_done", now.done},       {"units_total", nullptr},
                                  {"units_per_second", now.rate}, {"gpu_share", now.gpu_share},
                                  {"seconds_left", nullptr}};
  if (now.total > 0) event["units_total"] = now.total;
  if (left) event["seconds_left"] = *left;
  return event.dump();
}

progress::progress(const run_control& control, progress_style style, input_unit unit)
  : control_(control),
    style_(style),
    unit_(unit),
    start_(std::chrono::steady_clock::now()),
    next_(rhythm_of(style).first) {}

progress::~progress() { finish(); }

void progress::draw() {
  if (style_ == progress_style::none) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const std::lock_guard lock(mutex_);
  progress_state now{.done = control_.units_done.load(std::memory_order_relaxed),
                     .total = control_.units_total.load(std::memory_order_relaxed),
                     .seconds = seconds,
                     .unit = unit_};
  rate_.add(seconds, now.done);
  if (finished_ || seconds < next_) return;
  next_ += rhythm_of(style_).every;
  now.rate = rate_.units_per_second();
  if (now.done > 0) {
    const auto of_gpus = static_cast<double>(control_.gpu_units_done.load(std::memory_order_relaxed));
    now.gpu_share = std::min(1.0, of_gpus / static_cast<double>(now.done));
  }
  switch (style_) {
    case progress_style::bar:
      visible_ = true;
      write_standard_error(std::string(clear_line) + progress_text(now, terminal_columns(STDERR_FILENO)));
      return;
    case progress_style::lines:
      say(progress_text(now, std::string::npos));
      return;
    default:
      write_standard_error(progress_event(now) + "\n");
  }
}

void progress::finish() {
  const std::lock_guard lock(mutex_);
  if (visible_ && !finished_) {
    write_standard_error(clear_line);
  }
  finished_ = true;
}

}  // namespace duomap::apps
