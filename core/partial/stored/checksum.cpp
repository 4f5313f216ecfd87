// Computes the checksum by xxHash.
#include "core/partial/stored/checksum.hpp"

// The macro makes the header contain the whole library.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace duomap {

std::uint64_t checksum_of(byte_view bytes) noexcept { return XXH3_64bits(bytes.data, bytes.size); }

}  // namespace duomap
