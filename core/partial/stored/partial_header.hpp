// The header of a stored partial: its task, its layout, and the input that it covers.
// host only
#pragma once

#include "core/partial/covered_input.hpp"

#include <cstdint>
#include <string>

namespace duomap {

/// Identifies a task. Partials are merged only if their tasks have the same name and the same parameters.
struct task_identity {
  std::string name;
  /// All settings that change the answer: options, the contents of dictionaries, a seed.
  std::string parameters = {};

  friend bool operator==(const task_identity&, const task_identity&) = default;
};

/// The header of a stored partial. docs/reference/partials.md describes its bytes.
struct partial_header {
  static constexpr std::uint32_t version = 2;

  task_identity task;
  std::string layout;      ///< the layout of keys and values (layout_of())
  std::uint64_t keys = 0;  ///< number of dense keys; 1 for no_key; 0 for hashed keys
  std::uint64_t hash = 0;  ///< hash_fingerprint()
  covered_input covers;
};

/// The hash of a fixed text. It differs between versions that hash keys in different ways.
[[nodiscard]] std::uint64_t hash_fingerprint();

/// The place of a partition in a stored partial.
struct stored_partition {
  std::uint64_t offset = 0;  ///< in the file
  std::uint64_t bytes = 0;
  std::uint64_t entries = 0;
  std::uint64_t checksum = 0;
};

}  // namespace duomap
