#include "core/input/zstd_stream.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"

#if DUOMAP_HAS_ZSTD
#include "core/input/read_ahead.hpp"

#include <zstd.h>
#include <zstd_errors.h>

#include <utility>
#endif

namespace duomap {

#if DUOMAP_HAS_ZSTD

namespace {

// 128 MiB, zstd's own limit for `zstd -d`: a file of a few bytes can ask for a window of 2 GiB, per stream.
constexpr int window_log_limit = 27;

class unzstd_stream final : public byte_stream {
 public:
  unzstd_stream(std::unique_ptr<byte_stream> stored, std::string name)
    : stored_(std::move(stored)), name_(std::move(name)), zstd_(ZSTD_createDStream()) {
    if (zstd_ == nullptr ||
        ZSTD_isError(ZSTD_DCtx_setParameter(zstd_.get(), ZSTD_d_windowLogMax, window_log_limit))) {
      throw out_of_memory("no memory for zstd to read " + name_ + "; it needs less than 1 MiB");
    }
  }

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    expects(capacity > 0, "a read of no bytes looks like the end of the stream");
    ZSTD_outBuffer out{into, capacity, 0};
    while (out.pos == 0) {
      if (!inside_frame_ && !begin_frame()) {
        return 0;
      }
      step(out);
    }
    return out.pos;
  }

 private:
  struct release {
    void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
  };

  /// Moves to the next frame; false when the stored bytes end.
  bool begin_frame() {
    const byte_view first = stored_.require(magic_bytes);
    if (any_frame_ && first.empty()) {
      return false;
    }
    if (any_frame_ && !may_be(compression::zstd, first)) {
      throw input_error(
          "cannot read " + name_ + ": at byte " + std::to_string(stored_.position()) +
          " something that is not zstd follows the compressed data; cut it off or get the file again");
    }
    require_compressed(compression::zstd, first, name_);
    any_frame_ = true;
    inside_frame_ = true;
    return true;
  }

  /// One call of zstd, with whatever is stored next.
  void step(ZSTD_outBuffer& out) {
    const byte_view ready = stored_.require(1);
    ZSTD_inBuffer in{ready.data, ready.size, 0};
    const std::size_t status = ZSTD_decompressStream(zstd_.get(), &out, &in);
    if (ZSTD_isError(status)) {
      fail(status, stored_.position() + in.pos);
    }
    stored_.consume(in.pos);
    inside_frame_ = status != 0;
    // At the end of the stored bytes zstd is called once more for what it still holds back; when that gives
    // nothing, the rest of the frame is missing.
    if (inside_frame_ && ready.empty() && out.pos == 0) {
      throw input_error("cannot read " + name_ + ": it is truncated, it ends at byte " +
                        std::to_string(stored_.position()) +
                        " inside the compressed data; get the whole file");
    }
  }

  [[noreturn]] void fail(std::size_t status, std::uint64_t position) const {
    switch (ZSTD_getErrorCode(status)) {
      case ZSTD_error_memory_allocation:
        throw out_of_memory("no memory for zstd to read " + name_ + "; it needs up to 128 MiB per file");
      case ZSTD_error_frameParameter_windowTooLarge:
        throw input_error(
            "cannot read " + name_ + ": the zstd frame at byte " + std::to_string(position) +
            " needs a window larger than 128 MiB (zstd --long, --ultra); decompress it first with "
            "zstd -d --long=31");
      default:
        throw input_error("cannot read " + name_ + ": its zstd data is damaged at or after byte " +
                          std::to_string(position) + " (" + ZSTD_getErrorName(status) +
                          "); get the file again, zstd -t tests it");
    }
  }

  read_ahead stored_;
  std::string name_;
  std::unique_ptr<ZSTD_DStream, release> zstd_;
  bool any_frame_ = false;
  bool inside_frame_ = false;
};

}  // namespace

bool zstd_supported() noexcept { return true; }

std::string zstd_library() { return std::string("zstd ") + ZSTD_versionString(); }

std::unique_ptr<byte_stream> zstd_stream(std::unique_ptr<byte_stream> stored, std::string name) {
  return std::make_unique<unzstd_stream>(std::move(stored), std::move(name));
}

#else

bool zstd_supported() noexcept { return false; }

std::string zstd_library() { return {}; }

std::unique_ptr<byte_stream> zstd_stream(std::unique_ptr<byte_stream> /*stored*/, std::string name) {
  throw input_error(unsupported_problem(compression::zstd, name));
}

#endif

}  // namespace duomap
