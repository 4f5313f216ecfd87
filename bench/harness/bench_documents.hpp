// Makes Markdown and pictures of the tables of saved benchmark runs, as parts of pages.
// host only
#pragma once

#include "bench/harness/bench_run.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// A saved run and its name for readers: its file's name without the extension.
struct saved_run {
  std::string name;
  bench_run run;
};

/// A file of the documents; `path` is relative to their folder.
struct document_file {
  std::string path;
  std::string text;
};

/// Makes RUN-1-TABLE.md for the first table of a run, with every row, the machine and the command. Makes
/// RUN-1-TABLE.svg if the table can be drawn. bench/results/make_pages.py makes pages of these files. The
/// same runs give the same bytes. Requires runs with different names.
[[nodiscard]] std::vector<document_file> documents_of(const std::vector<saved_run>& runs);

}  // namespace duomap::apps
