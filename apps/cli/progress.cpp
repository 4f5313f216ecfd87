#include "apps/cli/progress.hpp"

#include "apps/cli/console.hpp"
#include "apps/cli/quantity.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace duomap::apps {

namespace {

constexpr std::string_view clear_line = "\r\033[K";
constexpr std::size_t bar_width = 24;

std::size_t terminal_columns() {
  constexpr std::size_t usual = 80;
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return usual;
  }
  return size.ws_col;
}

std::string percent_text(double share) {
  const std::string number = std::to_string(static_cast<int>(share * 100));
  return std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number + " %";
}

}  // namespace

bool progress_wanted() {
  const char* const terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) != "dumb" && ::isatty(STDERR_FILENO) == 1;
}

std::string progress_text(std::uint64_t done, std::uint64_t total, double seconds, std::size_t columns) {
  std::string text;
  if (total == 0) {
    text = bytes_text(done) + " done  " + rate_text(done, seconds);
  } else {
    // Files that grow while they are read would go past the end.
    const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
    const auto filled = static_cast<std::size_t>(share * bar_width);
    text = "[" + std::string(filled, '#') + std::string(bar_width - filled, '-') + "] " +
           percent_text(share) + "  " + bytes_text(done) + " of " + bytes_text(total) + "  " +
           rate_text(done, seconds);
    if (done != 0 && done < total) {
      text += "  " + duration_text(seconds * (1 / share - 1)) + " left";
    }
  }
  // A line that wraps could not be removed any more.
  text.resize(std::min(text.size(), columns == 0 ? 0 : columns - 1));
  return text;
}

progress_bar::progress_bar(const run_control& control)
  : control_(control), start_(std::chrono::steady_clock::now()) {}

progress_bar::~progress_bar() { finish(); }

void progress_bar::draw() {
  constexpr double silent_seconds = 0.5;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  if (elapsed.count() < silent_seconds) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (finished_) {
    return;
  }
  visible_ = true;
  write_standard_error(std::string(clear_line) +
                       progress_text(control_.units_done.load(std::memory_order_relaxed),
                                     control_.units_total.load(std::memory_order_relaxed), elapsed.count(),
                                     terminal_columns()));
}

void progress_bar::finish() {
  const std::lock_guard lock(mutex_);
  if (visible_ && !finished_) {
    write_standard_error(clear_line);
  }
  finished_ = true;
}

}  // namespace duomap::apps
