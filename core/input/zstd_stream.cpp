// Calls the zstd library, finds the sizes of frames, or reports that this build lacks the library.
#include "core/input/zstd_stream.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"

#if DUOMAP_HAS_ZSTD
#include "core/input/decompressing_stream.hpp"

// The macro makes zstd declare its functions for headers of frames and ZSTD_decompressBound(). These are
// needed because a frame that was made from a pipe does not state its size.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <utility>
#endif

namespace duomap {

#if DUOMAP_HAS_ZSTD

namespace {

// 128 MiB, the limit of `zstd -d`, too. Otherwise a file of a few bytes could ask for 2 GiB per stream.
constexpr int window_log_limit = 27;

/// The size of a frame, from the headers of its blocks (RFC 8878, section 3.1.1).
/// ZSTD_findFrameCompressedSize() would need the whole frame in memory, so one thread would have to read it.
std::optional<member_format::extent> frame_at(read_ahead& stored, std::uint64_t at) {
  const byte_view first = stored.look(at, ZSTD_FRAMEHEADERSIZE_MAX);
  ZSTD_frameHeader header;
  if (ZSTD_getFrameHeader(&header, first.data, first.size) != 0 ||
      header.windowSize > std::uint64_t{1} << window_log_limit ||
      (header.frameContentSize != ZSTD_CONTENTSIZE_UNKNOWN &&
       header.frameContentSize > decompressing_stream::most_part_bytes)) {
    return std::nullopt;
  }
  const auto ends = [&](std::uint64_t size) {
    return !stored.look(at + size - 1, 1).empty();
  };
  if (header.frameType == ZSTD_skippableFrame) {
    const std::uint64_t size = ZSTD_SKIPPABLEHEADERSIZE + header.frameContentSize;
    return ends(size) ? std::optional(member_format::extent{size, 0}) : std::nullopt;
  }
  constexpr std::uint64_t block_header_bytes = 3;
  constexpr std::uint64_t checksum_bytes = 4;
  std::uint64_t size = header.headerSize;
  std::uint64_t most_text = 0;
  for (bool last = false; !last; most_text += header.blockSizeMax) {
    const byte_view block = stored.look(at + size, block_header_bytes);
    if (block.size < block_header_bytes || size > decompressing_stream::most_part_bytes) return std::nullopt;
    std::uint64_t number = 0;
    for (std::uint64_t i = block_header_bytes; i-- > 0;)
      number = number << 8 | static_cast<unsigned char>(block.data[i]);
    last = (number & 1) != 0;
    const std::uint64_t type = number >> 1 & 3;
    if (type == 3) return std::nullopt;  // a reserved type
    // A block of one repeated byte: one byte is stored, and the size field has the size of the text.
    size += block_header_bytes + (type == 1 ? 1 : number >> 3);
  }
  if (header.checksumFlag != 0) size += checksum_bytes;
  if (!ends(size)) return std::nullopt;
  return member_format::extent{
      size, header.frameContentSize == ZSTD_CONTENTSIZE_UNKNOWN ? most_text : header.frameContentSize};
}

struct zstd_release {
  void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
};
using zstd_decoder = std::unique_ptr<ZSTD_DStream, zstd_release>;

std::optional<std::uint64_t> decode_frames(byte_view frames, char* into, std::uint64_t room) {
  const zstd_decoder zstd(ZSTD_createDStream());
  if (zstd == nullptr) return std::nullopt;
  const std::size_t given = ZSTD_decompressDCtx(zstd.get(), into, room, frames.data, frames.size);
  return ZSTD_isError(given) ? std::nullopt : std::optional<std::uint64_t>(given);
}

std::unique_ptr<byte_stream> open_frames(std::unique_ptr<byte_stream> stored, std::string name,
                                         std::uint64_t position);

constexpr member_format zstd_frames{frame_at, open_frames, decode_frames};

class unzstd_stream final : public decompressing_stream {
 public:
  unzstd_stream(std::unique_ptr<byte_stream> stored, std::string name, std::uint64_t position)
    : decompressing_stream(std::move(stored), compression::zstd, std::move(name), position, &zstd_frames),
      zstd_(ZSTD_createDStream()) {
    if (zstd_ == nullptr ||
        ZSTD_isError(ZSTD_DCtx_setParameter(zstd_.get(), ZSTD_d_windowLogMax, window_log_limit))) {
      throw out_of_memory("no memory for zstd to read " + this->name() + "; it needs less than 1 MiB");
    }
  }

 private:
  progress step(byte_view stored, char* into, std::uint64_t room) override {
    ZSTD_outBuffer out{into, room, 0};
    ZSTD_inBuffer in{stored.data, stored.size, 0};
    const std::size_t status = ZSTD_decompressStream(zstd_.get(), &out, &in);
    if (ZSTD_isError(status)) {
      fail(status, position() + in.pos);
    }
    return {in.pos, out.pos, status == 0};
  }

  [[noreturn]] void fail(std::size_t status, std::uint64_t position) const {
    switch (ZSTD_getErrorCode(status)) {
      case ZSTD_error_memory_allocation:
        throw out_of_memory("no memory for zstd to read " + name() + "; it needs up to 128 MiB per file");
      case ZSTD_error_frameParameter_windowTooLarge:
        throw input_error(
            "cannot read " + name() + ": the zstd frame at byte " + std::to_string(position) +
            " needs a window larger than 128 MiB (zstd --long, --ultra); decompress it first with "
            "zstd -d --long=31");
      case ZSTD_error_dictionary_wrong:
        throw input_error("cannot read " + name() + ": the zstd frame at byte " + std::to_string(position) +
                          " was made with a dictionary; decompress it first with zstd -d -D DICTIONARY");
      default:
        throw input_error("cannot read " + name() + ": its zstd data is damaged at or after byte " +
                          std::to_string(position) + " (" + ZSTD_getErrorName(status) +
                          "); get the file again, zstd -t tests it");
    }
  }

  zstd_decoder zstd_;
};

std::unique_ptr<byte_stream> open_frames(std::unique_ptr<byte_stream> stored, std::string name,
                                         std::uint64_t position) {
  return std::make_unique<unzstd_stream>(std::move(stored), std::move(name), position);
}

}  // namespace

bool zstd_supported() noexcept { return true; }

std::string zstd_library() { return std::string("zstd ") + ZSTD_versionString(); }

std::unique_ptr<byte_stream> open_zstd(std::unique_ptr<byte_stream> stored, std::string name) {
  return open_frames(std::move(stored), std::move(name), 0);
}

#else

bool zstd_supported() noexcept { return false; }

std::string zstd_library() { return {}; }

std::unique_ptr<byte_stream> open_zstd(std::unique_ptr<byte_stream> /*stored*/, std::string name) {
  throw input_error(unsupported_problem(compression::zstd, name));
}

#endif

}  // namespace duomap
