// The stream of an open file, pipe or terminal.
// host only
#pragma once

#include "core/file_descriptor.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <string>

namespace duomap {

/// Reads a descriptor from where it stands to its end. Interrupted reads are taken up again, descriptors that
/// do not block are waited for. A read is passed to the system as it is: a pipe gives less than asked for.
class file_stream final : public byte_stream {
 public:
  /// `name` is for messages.
  file_stream(file_descriptor file, std::string name);

  std::uint64_t read(char* into, std::uint64_t capacity) override;

 private:
  file_descriptor file_;
  std::string name_;
  std::uint64_t position_ = 0;
};

}  // namespace duomap
