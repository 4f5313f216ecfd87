// Finds the mapped file that has an address. A SIGBUS handler names that file; a feeder of a device reads
// that file instead of the mapping.
#pragma once

#include "core/byte_view.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap {

/// The most mappings in the registry, and the most files that open_input() maps. A mapping takes one or two
/// of the 65,530 memory areas that Linux gives a process; allocators and threads need some, too.
inline constexpr std::size_t max_mappings = 4096;

/// The name of the registered mapping that contains `address`; nullptr if there is none. Signal handlers may
/// call it. The name is valid while the mapping is registered, and so for a handler of a fault inside it.
[[nodiscard]] const char* mapping_name(const void* address) noexcept;

/// Identifies a file while it exists: st_dev and st_ino of stat(2). No file has inode 0.
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  friend constexpr bool operator==(const file_identity&, const file_identity&) = default;
};

class file_state;

/// A registered mapping. `bytes` begin with the file's first byte, at the beginning of a page.
struct listed_mapping {
  byte_view bytes;
  const char* name = nullptr;  ///< valid as long as the mapping is registered
  file_identity file;
  const file_state* stamp = nullptr;  ///< valid as long as the mapping is registered
};

/// The registered mapping that contains `address`; empty when no mapping does. Signal handlers may call it.
[[nodiscard]] listed_mapping find_mapping(const void* address) noexcept;

/// Lists the bytes [begin, begin + size) under `name` until this object is destroyed. If no slot is free, it
/// lists nothing, and messages do not name the file. Any thread may create and destroy registrations at any
/// time.
class mapping_registration {
 public:
  /// `name` and `stamp` must outlive the registration.
  mapping_registration(const void* begin, std::uint64_t size, const char* name, file_identity file = {},
                       const file_state* stamp = nullptr) noexcept;
  ~mapping_registration();
  mapping_registration(const mapping_registration&) = delete;
  mapping_registration& operator=(const mapping_registration&) = delete;

 private:
  std::size_t slot_;  // max_mappings means: not listed
};

}  // namespace duomap
