// Saved benchmark runs as pages for readers: one Markdown file and its pictures.
// host only
#pragma once

#include "apps/bench/harness/bench_run.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// A saved run and what readers know it by: its file's name without the extension.
struct saved_run {
  std::string name;
  bench_run run;
};

/// A file of the documents, its path below their folder.
struct document_file {
  std::string path;
  std::string text;
};

/// benchmarks.md with every row of every run, in the given order, and plots/RUN-TABLE.svg for the tables that
/// can be drawn. Same runs, same bytes. Requires runs whose names differ.
[[nodiscard]] std::vector<document_file> documents_of(const std::vector<saved_run>& runs);

}  // namespace duomap::apps
