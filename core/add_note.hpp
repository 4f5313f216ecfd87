// Adds a note to a report, unless the report has it already.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace duomap {

/// Appends a sentence, unless it is empty or `notes` has it already.
inline void add_note(std::vector<std::string>& notes, std::string sentence) {
  if (sentence.empty() || std::ranges::find(notes, sentence) != notes.end()) return;
  notes.push_back(std::move(sentence));
}

}  // namespace duomap
