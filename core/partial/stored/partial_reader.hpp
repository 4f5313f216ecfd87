// Reads a stored partial, partition by partition.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/file_descriptor.hpp"
#include "core/partial/stored/encoding.hpp"
#include "core/partial/stored/partial_header.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap {

/// A stored partial in a file or in memory. If any byte was changed or cut off, reading throws an input_error
/// that names the file and the partition. Any thread may read partitions.
class partial_reader {
 public:
  /// Reads the header.
  /// @throws input_error when the file cannot be read or is no partial of this version
  explicit partial_reader(const std::string& path);
  /// Reads a stored partial in memory. `bytes` must outlive the reader; `name` is for messages.
  partial_reader(byte_view bytes, std::string name);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const partial_header& header() const noexcept { return header_; }
  [[nodiscard]] unsigned partitions() const noexcept { return static_cast<unsigned>(partitions_.size()); }
  /// The number of entries in all partitions.
  [[nodiscard]] std::uint64_t entries() const noexcept;
  /// The number of entries in one partition.
  [[nodiscard]] std::uint64_t entries(unsigned p) const { return partitions_.at(p).entries; }
  /// The size of the stored partial in bytes.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// The bytes of a partition. @throws input_error when their checksum is wrong
  [[nodiscard]] std::string partition(unsigned p) const;

  /// Checks the task, the layout, the number of keys and partitions, and the hash function.
  /// @throws input_error, which names the difference
  void require(const task_identity& task, const std::string& layout, std::uint64_t keys,
               unsigned partitions) const;

 private:
  void read_header();
  [[nodiscard]] std::string read(std::uint64_t offset, std::uint64_t bytes, const std::string& what) const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string name_;
  file_descriptor file_;  // no file if the partial is in memory
  byte_view memory_;
  std::uint64_t size_ = 0;
  partial_header header_;
  std::vector<stored_partition> partitions_;
};

}  // namespace duomap
