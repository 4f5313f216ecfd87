// Gives all bytes of one file, which is mapped if possible, or read and decompressed into memory.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/block.hpp"
#include "core/input/input_content.hpp"
#include "core/input/source.hpp"

#include <memory>
#include <string>

namespace duomap {

struct run_control;

/// Opens the file `path` ("-": standard input).
/// @throws input_error when it is missing or unreadable, or a directory with several files
[[nodiscard]] std::unique_ptr<source> only_source(const std::string& path,
                                                  input_content content = input_content::text);

/// The name in messages: the path in quotes, or "standard input".
[[nodiscard]] std::string shown_name(const source& from, const std::string& path);

/// The content of the file `path` ("-": standard input), which `read_padding` readable bytes follow.
class whole_input {
 public:
  /// @throws input_error when the file cannot be read, is damaged, or is a directory with several files;
  /// out_of_memory; interrupted
  explicit whole_input(const std::string& path, const run_control* control = nullptr,
                       input_content content = input_content::text);

  [[nodiscard]] byte_view bytes() const;

  /// Tells how the file has changed since it was opened (source::change()). Bytes in memory only tell of
  /// changes up to the end of reading; a mapping tells of changes up to now.
  [[nodiscard]] std::string change() const { return mapping_ == nullptr ? change_ : mapping_->change(); }

  /// The name in messages: the path in quotes, or "standard input".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  /// Hands over the mapping, so that it can outlive this object; nullptr when the bytes are in memory.
  [[nodiscard]] std::unique_ptr<source> release_mapping() && { return std::move(mapping_); }
  [[nodiscard]] bool is_mapped() const noexcept { return mapping_ != nullptr; }

 private:
  void read(const source& from, const run_control* control);

  std::string name_;
  std::unique_ptr<source> mapping_;
  block memory_;
  std::string change_;
};

}  // namespace duomap
