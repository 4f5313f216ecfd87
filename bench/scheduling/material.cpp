// Makes rows and a text as large as the largest input.
#include "bench/scheduling/material.hpp"

#include "bench/scheduling/scheduling_options.hpp"
#include "bench/scheduling/workload.hpp"
#include "core/input/mapped_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace duomap::apps {

material::material(worker_pool& pool) {
  const scheduling_options& options = options_of_this_run<scheduling_options>();
  if (has(options.tasks, "wordcount")) make_text();
  rows_ = allocate_zeroed(options.largest, "the benchmark's rows");
  fill_with_points(static_cast<char*>(rows_.get()), options.largest, options.seed, pool);
}

std::vector<byte_view> material::all() const {
  std::vector<byte_view> pieces = {rows(options_of_this_run<scheduling_options>().largest)};
  if (text_input_) pieces.push_back((*text_input_)[0].bytes());
  return pieces;
}

// Uses the user's file without a copy if it is large enough.
void material::make_text() {
  const scheduling_options& options = options_of_this_run<scheduling_options>();
  if (options.paths.size() == 1) {
    input only = open_input(options.paths);
    if (only.size() == 1 && only[0].addressable() && only[0].units() >= options.largest) {
      description_ = std::filesystem::path(options.paths.front()).filename().string();
      text_input_ = std::move(only);
      return;
    }
  }
  // Texts below map_threshold bytes are not mapped, and tasks could not take parts of them.
  const std::uint64_t bytes = std::max(options.largest, map_threshold);
  if (options.paths.empty()) {
    made_.emplace(std::uint64_t{100'000}, options.seed, bytes);
  } else {
    made_.emplace(options.paths, bytes);
  }
  description_ = made_->description();
  text_input_ = open_input({made_->path()});
}

}  // namespace duomap::apps
