// Finds the file from which an address is mapped. A SIGBUS handler names the file that shrank while it was
// read, and a device's feeder reads the file itself.
#pragma once

#include "core/byte_view.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap {

/// Mappings the registry can hold at a time. Also the most files that open_input maps: a mapping takes one or
/// two of the 65,530 memory areas that Linux grants a process by default, and allocators and threads need
/// some too.
inline constexpr std::size_t max_mappings = 4096;

/// Name of the registered mapping that contains `address`; nullptr when no mapping does. Signal handlers may
/// call it. The name stays valid as long as the mapping is registered, which covers a fault inside it.
[[nodiscard]] const char* mapping_name(const void* address) noexcept;

/// Tells a file from all others while it exists: stat(2)'s st_dev and st_ino. No file has inode 0.
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  friend constexpr bool operator==(const file_identity&, const file_identity&) = default;
};

class opening_stamp;

/// A mapping as it is listed. `bytes` begin with the file's first byte, on a page.
struct listed_mapping {
  byte_view bytes;
  const char* name = nullptr;  ///< valid as long as the mapping is registered
  file_identity file;
  const opening_stamp* stamp = nullptr;  ///< valid as long as the mapping is registered
};

/// The registered mapping that contains `address`; empty when no mapping does. Signal handlers may call it.
[[nodiscard]] listed_mapping find_mapping(const void* address) noexcept;

/// Lists the bytes [begin, begin + size) under `name` as long as this object lives. When all slots are taken,
/// the bytes are not listed and messages have no name for them. Any thread may create and destroy
/// registrations at any time.
class mapping_registration {
 public:
  /// `name` and `stamp` must outlive the registration.
  mapping_registration(const void* begin, std::uint64_t size, const char* name, file_identity file = {},
                       const opening_stamp* stamp = nullptr) noexcept;
  ~mapping_registration();
  mapping_registration(const mapping_registration&) = delete;
  mapping_registration& operator=(const mapping_registration&) = delete;

 private:
  std::size_t slot_;  // max_mappings: not listed
};

}  // namespace duomap
