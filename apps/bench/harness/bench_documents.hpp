// Tables of saved benchmark runs as parts of pages: Markdown and pictures.
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

/// A part of the documents, its path below their folder.
struct document_file {
  std::string path;
  std::string text;
};

/// RUN-1-TABLE.md with every row of a run's first table, its machine and command, and RUN-1-TABLE.svg where
/// it can be drawn; results/make_pages.py makes pages of them. Same runs, same bytes. Requires runs whose
/// names differ.
[[nodiscard]] std::vector<document_file> documents_of(const std::vector<saved_run>& runs);

}  // namespace duomap::apps
