#include "core/input/zstd_stream.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"

#if DUOMAP_HAS_ZSTD
#include "core/input/decompressing_stream.hpp"

// For the headers of frames, and ZSTD_decompressBound: a frame that was made of a pipe does not tell its
// size.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <utility>
#endif

namespace duomap {

#if DUOMAP_HAS_ZSTD

namespace {

// 128 MiB, zstd's own limit for `zstd -d`: a file of a few bytes can ask for a window of 2 GiB, per stream.
constexpr int window_log_limit = 27;

std::optional<member_format::extent> frame_at(read_ahead& stored, std::uint64_t at) {
  byte_view ready = stored.require(at + ZSTD_FRAMEHEADERSIZE_MAX);
  const auto ahead = [&] {
    return std::max(ready.size, at) - at;
  };
  ZSTD_frameHeader header;
  if (ZSTD_getFrameHeader(&header, ready.data + at, ahead()) != 0 ||
      header.windowSize > std::uint64_t{1} << window_log_limit ||
      (header.frameContentSize != ZSTD_CONTENTSIZE_UNKNOWN &&
       header.frameContentSize > decompressing_stream::most_part_bytes)) {
    return std::nullopt;
  }
  std::size_t size = ZSTD_findFrameCompressedSize(ready.data + at, ahead());
  while (ZSTD_isError(size) && ZSTD_getErrorCode(size) == ZSTD_error_srcSize_wrong &&
         ahead() < decompressing_stream::most_part_bytes / 2) {
    const std::uint64_t seen = ready.size;
    ready = stored.require(at + 2 * ahead());
    if (ready.size == seen) break;
    size = ZSTD_findFrameCompressedSize(ready.data + at, ahead());
  }
  if (ZSTD_isError(size)) return std::nullopt;
  const unsigned long long most = ZSTD_decompressBound(ready.data + at, size);
  if (most == ZSTD_CONTENTSIZE_ERROR) return std::nullopt;
  return member_format::extent{size, most};
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

std::unique_ptr<byte_stream> zstd_stream(std::unique_ptr<byte_stream> stored, std::string name) {
  return open_frames(std::move(stored), std::move(name), 0);
}

#else

bool zstd_supported() noexcept { return false; }

std::string zstd_library() { return {}; }

std::unique_ptr<byte_stream> zstd_stream(std::unique_ptr<byte_stream> /*stored*/, std::string name) {
  throw input_error(unsupported_problem(compression::zstd, name));
}

#endif

}  // namespace duomap
