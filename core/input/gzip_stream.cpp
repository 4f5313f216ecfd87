// Chooses the gzip decoder that this build has.
#include "core/input/gzip_stream.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"
#include "core/input/gzip_decoders.hpp"

#include <utility>

namespace duomap {

bool gzip_supported() noexcept { return DUOMAP_HAS_ISAL || DUOMAP_HAS_ZLIB; }

std::string gzip_library() {
#if DUOMAP_HAS_ISAL
  return isal_version_text();
#elif DUOMAP_HAS_ZLIB
  return zlib_version_text();
#else
  return {};
#endif
}

std::unique_ptr<byte_stream> open_gzip(std::unique_ptr<byte_stream> stored, std::string name) {
#if DUOMAP_HAS_ISAL
  return open_gzip_by_isal(std::move(stored), std::move(name));
#elif DUOMAP_HAS_ZLIB
  return open_gzip_by_zlib(std::move(stored), std::move(name));
#else
  throw input_error(unsupported_problem(compression::gzip, name));
#endif
}

}  // namespace duomap
