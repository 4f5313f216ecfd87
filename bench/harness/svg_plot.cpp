// Draws bars or lines of a table's rows as SVG.
#include "bench/harness/svg_plot.hpp"

#include "bench/harness/percentile.hpp"
#include "bench/harness/printed.hpp"
#include "bench/harness/rate_unit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace duomap::apps {
namespace {

// Prints a coordinate; a tenth of a pixel is enough.
std::string at(double value) { return printed("%.1f", value); }

// Colours that people with colour-blindness can tell apart (after Okabe and Ito), one for each series.
constexpr int series_colours = 8;
constexpr const char* style = R"(<style>
text { font: 12px sans-serif; fill: #24292f; }
.title { font-weight: bold; }
.axis { stroke: #57606a; } .grid { stroke: #d0d7de; } .whisker { stroke: #24292f; }
.s0 { color: #0072b2; } .s1 { color: #d55e00; } .s2 { color: #009e73; } .s3 { color: #b0508a; }
.s4 { color: #8a6d00; } .s5 { color: #2a8fbd; } .s6 { color: #57606a; } .s7 { color: #a33b00; }
.bar, .dot { fill: currentColor; } .line { stroke: currentColor; stroke-width: 2; fill: none; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.axis { stroke: #8b949e; } .grid { stroke: #30363d; } .whisker { stroke: #e6edf3; }
.s0 { color: #4ba3e3; } .s1 { color: #ff8c42; } .s2 { color: #2fc79a; } .s3 { color: #dd8fbd; }
.s4 { color: #e3c14b; } .s5 { color: #7cc7f0; } .s6 { color: #a8b1ba; } .s7 { color: #f0a48a; }
}
</style>
)";

struct quantity_shown {
  double value = 0;
  double low = 0;  ///< p10; if `low` and `high` are 0, there is no whisker
  double high = 0;
};

std::optional<quantity_shown> shown_of(const bench_table& table, const bench_row& row) {
  if (row.seconds.empty()) return std::nullopt;
  const spread all = spread_of(row.seconds);
  switch (table.plotted) {
    case bench_axis::seconds:
      return quantity_shown{all.middle, all.p10, all.p90};
    case bench_axis::rate:
      if (!(row.work.amount > 0)) return std::nullopt;
      return quantity_shown{row.work.amount / all.middle, row.work.amount / all.p90,
                            row.work.amount / all.p10};
    case bench_axis::speed_up:
      if (!row.speed_up) return std::nullopt;
      return quantity_shown{*row.speed_up, 0, 0};
  }
  return std::nullopt;
}

// The axis shows values divided by `divisor`, so that its numbers are small; the label names the matching
// unit.
struct axis_scale {
  double divisor = 1;
  std::string label;
};

axis_scale scale_of(const bench_table& table, double largest) {
  if (table.plotted == bench_axis::speed_up)
    return {1, "times as fast as " + (table.baseline.empty() ? "the first" : table.baseline)};
  if (table.plotted == bench_axis::seconds) {
    if (largest < 1e-3) return {1e-6, "time, us (less is better)"};
    return largest < 1 ? axis_scale{1e-3, "time, ms (less is better)"}
                       : axis_scale{1, "time, s (less is better)"};
  }
  std::string unit;
  for (const bench_row& row : table.rows) unit = unit.empty() ? row.work.unit : unit;
  axis_scale scale;
  std::size_t power = 0;
  for (; largest / scale.divisor >= 1000 && power + 1 < named_thousands; ++power) scale.divisor *= 1000;
  scale.label = "throughput, " + rate_unit(unit, power);
  return scale;
}

// The step of an axis that reaches `largest` in about five steps: 1, 2 or 5 times a power of ten.
double step_of(double largest) {
  const double power = std::pow(10, std::floor(std::log10(largest / 5)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (largest / (step * power) <= 6) return step * power;
  }
  return 10 * power;
}

std::string number_text(double value) { return printed("%.4g", value); }

std::string text_at(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return "<text x=\"" + at(x) + "\" y=\"" + at(y) + "\" text-anchor=\"" + anchor + "\"" + more + ">" +
         xml_text(text) + "</text>\n";
}

std::string line_from(const char* kind, double x1, double y1, double x2, double y2) {
  return std::string("<line class=\"") + kind + "\" x1=\"" + at(x1) + "\" y1=\"" + at(y1) + "\" x2=\"" +
         at(x2) + "\" y2=\"" + at(y2) + "\"/>\n";
}

std::string document(const std::string& title, double width, double height, const std::string& inside) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + at(width) + "\" height=\"" + at(height) +
         "\" viewBox=\"0 0 " + at(width) + " " + at(height) + "\" role=\"img\">\n<title>" + xml_text(title) +
         "</title>\n" + style + text_at(8, 18, "start", title, " class=\"title\"") + inside + "</svg>\n";
}

// The rough width of a letter of the 12 px font, in pixels.
constexpr double letter_width = 6.6;

std::string series_name(const bench_table& table, const bench_row& row) {
  const auto differs = [&](auto bench_row::*member) {
    return std::ranges::any_of(
        table.rows, [&](const bench_row& one) { return one.*member != table.rows.front().*member; });
  };
  std::string name = row.program;
  if (differs(&bench_row::device)) name += ", " + row.device;
  if (differs(&bench_row::threads))
    name += ", " + std::to_string(row.threads) + (row.threads == 1 ? " thread" : " threads");
  return name;
}

// Numbers the names in the order of the rows.
template <class Name>
std::map<std::string, int> numbers_of(const bench_table& table, const Name& name) {
  std::map<std::string, int> numbers;
  for (const bench_row& row : table.rows) numbers.emplace(name(row), static_cast<int>(numbers.size()));
  return numbers;
}

std::string class_of(const char* kind, int series) {
  return std::string(" class=\"") + kind + " s" + std::to_string(series % series_colours) + "\"";
}

// Places values on an axis: in proportion, or by their logarithm if the largest is more than 50 times the
// least.
class axis {
 public:
  axis(double least, double most, double from, double to, bool from_zero)
    : logarithmic_(least > 0 && most / least > 50), from_(from), to_(to) {
    if (logarithmic_) {
      least_ = std::floor(std::log10(least) + 1e-9);
      most_ = std::max(std::ceil(std::log10(most) - 1e-9), least_ + 1);
      for (double power = least_; power <= most_ + 0.5; ++power) ticks_.push_back(std::pow(10, power));
    } else {
      least_ = from_zero ? std::min(least, 0.0) : least;
      most_ = most > least_ ? most : least_ + 1;
      const double step = step_of(most_ - least_);
      least_ = step * std::floor(least_ / step + 1e-9);
      most_ = step * std::ceil(most_ / step - 1e-9);
      for (int i = 0; least_ + i * step <= most_ + step / 2; ++i) ticks_.push_back(least_ + i * step);
    }
  }
  [[nodiscard]] double place(double value) const {
    const double on = logarithmic_ ? std::log10(value) : value;
    return from_ + (to_ - from_) * (on - least_) / (most_ - least_);
  }
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

 private:
  bool logarithmic_;
  double from_, to_;
  double least_ = 0, most_ = 0;
  std::vector<double> ticks_;
};

std::string bars_of(const bench_table& table) {
  struct bar {
    std::string label;
    quantity_shown shown;
    int series;
  };
  std::vector<bar> bars;
  std::set<std::string> workloads;
  for (const bench_row& row : table.rows) workloads.insert(row.workload);
  // Bars of one program share a colour; labels tell them apart.
  const auto numbers = numbers_of(table, [](const bench_row& row) { return row.program; });
  double largest = 0;
  std::size_t longest = 0;
  for (const bench_row& row : table.rows) {
    const auto shown = shown_of(table, row);
    if (!shown) continue;
    const std::string name = series_name(table, row);
    bars.push_back(
        {workloads.size() > 1 ? row.workload + ": " + name : name, *shown, numbers.at(row.program)});
    largest = std::max({largest, shown->value, shown->high});
    longest = std::max(longest, bars.back().label.size());
  }
  if (bars.empty() || !(largest > 0)) return "";
  const axis_scale scale = scale_of(table, largest);
  constexpr double row_height = 22, top = 34, plot_width = 420, right = 80;
  const double left = 16 + letter_width * static_cast<double>(longest);
  const double bottom = top + row_height * static_cast<double>(bars.size());
  const axis across(0, largest / scale.divisor, left, left + plot_width, true);
  const auto place = [&](double value) {
    return across.place(value / scale.divisor);
  };
  std::string inside;
  for (const double tick : across.ticks()) {
    const double x = across.place(tick);
    inside += line_from(tick == 0 ? "axis" : "grid", x, top, x, bottom);
    inside += text_at(x, bottom + 16, "middle", number_text(tick));
  }
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const bar& one = bars[i];
    const double y = top + row_height * static_cast<double>(i);
    const double tip = place(one.shown.value);
    inside += text_at(left - 6, y + 15, "end", one.label);
    inside += "<rect" + class_of("bar", one.series) + " x=\"" + at(left) + "\" y=\"" + at(y + 4) +
              "\" width=\"" + at(std::max(tip - left, 0.5)) + "\" height=\"" + at(row_height - 8) + "\"/>\n";
    double after = tip;
    if (one.shown.high > one.shown.low) {
      inside += line_from("whisker", place(one.shown.low), y + row_height / 2, place(one.shown.high),
                          y + row_height / 2);
      after = std::max(after, place(one.shown.high));
    }
    inside += text_at(after + 5, y + 15, "start", printed("%.3g", one.shown.value / scale.divisor));
  }
  inside += text_at(left + plot_width / 2, bottom + 34, "middle", scale.label);
  return document(table.title, left + plot_width + right, bottom + 44, inside);
}

std::string lines_of(const bench_table& table) {
  struct point {
    double x;
    quantity_shown shown;
  };
  std::map<int, std::vector<point>> lines;
  std::map<int, std::string> names;
  const auto numbers = numbers_of(table, [&](const bench_row& row) { return series_name(table, row); });
  std::vector<double> all_x, all_y;
  std::size_t longest = 0;
  for (const bench_row& row : table.rows) {
    const auto shown = shown_of(table, row);
    if (!shown || !row.x) continue;
    const std::string name = series_name(table, row);
    const int number = numbers.at(name);
    lines[number].push_back({*row.x, *shown});
    names[number] = name;
    longest = std::max(longest, name.size());
    all_x.push_back(*row.x);
    all_y.push_back(shown->value);
    if (shown->high > shown->low) all_y.insert(all_y.end(), {shown->low, shown->high});
  }
  if (lines.empty()) return "";
  const auto [least_x, most_x] = std::ranges::minmax(all_x);
  const auto [least_y, most_y] = std::ranges::minmax(all_y);
  if (!(most_y > 0)) return "";
  const axis_scale scale = scale_of(table, most_y);
  constexpr double left = 70, top = 52, width = 460, height = 260;
  const axis across(least_x, most_x, left, left + width, false);
  const axis up(least_y / scale.divisor, most_y / scale.divisor, top + height, top, true);
  std::string inside = text_at(8, 40, "start", scale.label);
  for (const double tick : up.ticks()) {
    const double y = up.place(tick);
    inside += line_from("grid", left, y, left + width, y);
    inside += text_at(left - 6, y + 4, "end", number_text(tick));
  }
  for (const double tick : across.ticks()) {
    const double x = across.place(tick);
    inside += line_from("axis", x, top + height, x, top + height + 4);
    inside += text_at(x, top + height + 18, "middle", number_text(tick));
  }
  inside += line_from("axis", left, top + height, left + width, top + height);
  inside += text_at(left + width / 2, top + height + 38, "middle", table.x_label);
  double legend_y = top + 10;
  for (auto& [number, points] : lines) {
    std::ranges::stable_sort(points, {}, &point::x);
    std::string path, dots;
    for (const point& one : points) {
      const double across_at = across.place(one.x);
      const std::string x = at(across_at), y = at(up.place(one.shown.value / scale.divisor));
      path += (path.empty() ? "" : " ") + x + "," + y;
      dots += "<circle" + class_of("dot", number) + " cx=\"" + x + "\" cy=\"" + y + "\" r=\"3\"/>\n";
      if (one.shown.high > one.shown.low)
        dots += line_from("whisker", across_at, up.place(one.shown.low / scale.divisor), across_at,
                          up.place(one.shown.high / scale.divisor));
    }
    inside += "<polyline" + class_of("line", number) + " points=\"" + path + "\"/>\n" + dots;
    inside += "<rect" + class_of("bar", number) + " x=\"" + at(left + width + 16) + "\" y=\"" +
              at(legend_y - 9) + "\" width=\"10\" height=\"10\"/>\n";
    inside += text_at(left + width + 32, legend_y, "start", names.at(number));
    legend_y += 18;
  }
  const double bottom = std::max(top + height + 48, legend_y);
  return document(table.title, left + width + 44 + letter_width * static_cast<double>(longest), bottom,
                  inside);
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string all;
  static const std::map<char, const char*> escapes = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  for (const char c : text) {
    if (const auto found = escapes.find(c); found != escapes.end()) {
      all += found->second;
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n') {
      all += c;
    }
  }
  return all;
}

std::string svg_of(const bench_table& table) {
  return table.plot == bench_plot::bars    ? bars_of(table)
         : table.plot == bench_plot::lines ? lines_of(table)
                                           : "";
}

}  // namespace duomap::apps
