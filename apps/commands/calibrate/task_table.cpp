// Compares a calibration's predictions with its largest runs, and writes both as tables and as JSON.
#include "apps/commands/calibrate/task_table.hpp"

#include "apps/commands/calibrate/machine_table.hpp"
#include "apps/report/quantity.hpp"
#include "core/version.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <set>
#include <utility>

namespace duomap::apps {
namespace {

/// The runs of one choice of devices: the time of the largest run, as measured and as predicted from the
/// others.
struct judged {
  const calibration_series* series;
  std::optional<fitted_model> model;
  stage_rates stages;
  double predicted = 0;
  double reached = 0;
};

struct verdict {
  std::uint64_t largest = 0;  // units of the largest runs
  std::vector<judged> rows;
  ideal_split ideal;  // empty when a model is missing or there is only one device
  std::vector<double> shares;
  double efficiency = 0;  // the speed of all devices together, as a part of the sum of their speeds alone
};

verdict judge(const task_calibration& found) {
  verdict all;
  std::vector<const calibration_series*> series;
  for (const calibration_series& one : found.alone) series.push_back(&one);
  if (found.both) series.push_back(&*found.both);
  for (const calibration_series* one : series) {
    for (const run_report& run : one->runs) all.largest = std::max(all.largest, run.units);
  }
  std::vector<fitted_model> alone;
  for (const calibration_series* one : series) {
    judged row{one, fit_runs(one->runs, all.largest), stages_of(one->runs)};
    if (row.model) row.predicted = row.model->seconds(all.largest);
    row.reached = median_seconds(one->runs, all.largest);
    if (row.model && all.rows.size() < found.alone.size()) alone.push_back(*row.model);
    all.rows.push_back(std::move(row));
  }
  if (found.both) {
    if (alone.size() == found.alone.size()) all.ideal = ideal_split_of(alone, all.largest);
    all.shares = shares_of(found.both->runs, all.largest);
    double runs_per_second = 0;
    for (std::size_t i = 0; i < found.alone.size(); ++i) runs_per_second += 1 / all.rows[i].reached;
    if (all.rows.back().reached > 0) all.efficiency = 1 / runs_per_second / all.rows.back().reached;
  }
  return all;
}

std::string percent(double part, const char* format = "%.1f %%") {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), format, 100 * part);
  return text.data();
}

std::string rate(double units_per_second) {
  return units_per_second > 0 ? rate_text(static_cast<std::uint64_t>(units_per_second), 1) : "";
}

double error_of(const judged& row) { return row.predicted / row.reached - 1; }

std::string row_text(const judged& row) {
  std::string text = "| " + row.series->name + " |";
  if (row.model) {
    text += " " + time_text(row.model->fixed_seconds) + " | " + rate(1 / row.model->seconds_per_unit) +
            " | " + rate(row.stages.copy) + " | " + rate(row.stages.compute) + " | " +
            percent(row.model->deviation) + " | " + std::to_string(row.model->runs) + " | " +
            time_text(row.predicted) + " |";
  } else {
    text += " not to be told | | " + rate(row.stages.copy) + " | " + rate(row.stages.compute) + " | | | |";
  }
  text += row.reached > 0 ? " " + time_text(row.reached) + " |" : " |";
  return text +
         (row.predicted > 0 && row.reached > 0 ? " " + percent(error_of(row), "%+.1f %%") + " |\n" : " |\n");
}

std::string shares_text(const task_calibration& found, const std::vector<double>& shares) {
  std::string text;
  for (std::size_t i = 0; i < std::min(shares.size(), found.alone.size()); ++i)
    text += (i == 0 ? "" : ", ") + found.alone[i].name + " " + percent(shares[i]);
  return text;
}

std::set<std::uint64_t> sizes_of(const task_calibration& found) {
  std::set<std::uint64_t> sizes;
  for (const calibration_series& one : found.alone) {
    for (const run_report& run : one.runs) sizes.insert(run.units);
  }
  return sizes;
}

std::string sizes_text(const task_calibration& found) {
  std::string text;
  for (const std::uint64_t units : sizes_of(found)) text += (text.empty() ? "" : ", ") + bytes_text(units);
  return text;
}

nlohmann::ordered_json row_json(const judged& row) {
  nlohmann::ordered_json object = {{"name", row.series->name}};
  if (row.model) {
    object["fixed_seconds"] = row.model->fixed_seconds;
    object["seconds_per_unit"] = row.model->seconds_per_unit;
    object["deviation"] = row.model->deviation;
    object["runs"] = row.model->runs;
    object["sizes"] = row.model->sizes;
    object["predicted_seconds"] = row.predicted;
  }
  object["reached_seconds"] = row.reached;
  object["copy_units_per_second"] = row.stages.copy;
  object["compute_units_per_second"] = row.stages.compute;
  return object;
}

}  // namespace

std::string calibration_text(const task_calibration& found) {
  const verdict all = judge(found);
  std::string text = found.task + ": runs on parts of " + sizes_text(found) + " of " +
                     bytes_text(found.input_units) +
                     ";\nmodels are fitted to the smaller ones and predict the largest\n\n"
                     "| device | fixed cost | rate | copies | kernels | deviation | runs | predicted | "
                     "reached | error |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const judged& row : all.rows) text += row_text(row);
  text += "\n";
  if (found.both) {
    if (!all.ideal.shares.empty())
      text += "split predicted: " + shares_text(found, all.ideal.shares) + ", " +
              time_text(all.ideal.seconds) + " if neither slowed the other down\n";
    text += "split reached: " + shares_text(found, all.shares) + "\n";
    text +=
        "co-execution efficiency reached: " + percent(all.efficiency) + " of the speeds alone, added up\n";
  }
  if (sizes_of(found).size() == 1) {
    text += "each run did all of the input, because this application takes no parts of it\n";
  } else if (!found.ran_all) {
    const judged& last = all.rows.back();
    text += "all of the input: " +
            (last.model ? time_text(last.model->seconds(found.input_units)) + " predicted"
                        : std::string("no prediction")) +
            ", not run, because that takes too long to calibrate with\n";
  }
  for (const std::string& note : found.notes) text += note + "\n";
  if (!found.stored_in.empty()) text += "profile of the task stored in " + found.stored_in + "\n";
  return text;
}

std::string calibration_json(const task_calibration& found) {
  const verdict all = judge(found);
  nlohmann::ordered_json object = {{"duomap", version},
                                   {"task", found.task},
                                   {"input_units", found.input_units},
                                   {"largest_units", all.largest},
                                   {"models", nlohmann::ordered_json::array()}};
  for (const judged& row : all.rows) object["models"].push_back(row_json(row));
  if (found.both) {
    object["predicted_shares"] = all.ideal.shares;
    object["ideal_seconds"] = all.ideal.seconds;
    object["reached_shares"] = all.shares;
    object["efficiency"] = all.efficiency;
  }
  object["stored_in"] = found.stored_in;
  object["notes"] = found.notes;
  constexpr int one_line = -1;
  return object.dump(one_line, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace duomap::apps
