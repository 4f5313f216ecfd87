#include "core/input/gzip_stream.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"

#if DUOMAP_HAS_ZLIB
#include "core/input/read_ahead.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#define ZLIB_CONST  // zlib then takes its input as const
#include <zlib.h>
#endif

namespace duomap {

#if DUOMAP_HAS_ZLIB

namespace {

constexpr int gzip_only = 16 + MAX_WBITS;  // gzip headers, no zlib ones, any window size

class inflating_stream final : public byte_stream {
 public:
  inflating_stream(std::unique_ptr<byte_stream> stored, std::string name)
    : stored_(std::move(stored)), name_(std::move(name)) {
    if (inflateInit2(&zlib_, gzip_only) != Z_OK) {
      throw out_of_memory("no memory for zlib to read " + name_ + "; it needs less than 1 MiB");
    }
  }
  inflating_stream(const inflating_stream&) = delete;
  inflating_stream& operator=(const inflating_stream&) = delete;
  ~inflating_stream() override { inflateEnd(&zlib_); }

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    expects(capacity > 0, "a read of no bytes looks like the end of the stream");
    // zlib counts in 32 bits.
    const auto room = static_cast<uInt>(std::min<std::uint64_t>(capacity, std::numeric_limits<uInt>::max()));
    zlib_.next_out = reinterpret_cast<Bytef*>(into);
    zlib_.avail_out = room;
    while (zlib_.avail_out == room) {
      if (!inside_member_ && !begin_member()) {
        return 0;
      }
      step();
    }
    return room - zlib_.avail_out;
  }

 private:
  /// Moves to the next member; false when the stored bytes end.
  bool begin_member() {
    const byte_view first = stored_.require(magic_bytes);
    if (any_member_ && first.empty()) {
      return false;
    }
    if (any_member_ && !may_be(compression::gzip, first)) {
      throw input_error(
          "cannot read " + name_ + ": at byte " + std::to_string(stored_.position()) +
          " something that is not gzip follows the compressed data; cut it off or get the file again");
    }
    require_compressed(compression::gzip, first, name_);
    if (any_member_) {
      inflateReset(&zlib_);
    }
    any_member_ = true;
    inside_member_ = true;
    return true;
  }

  /// One call of zlib, with whatever is stored next.
  void step() {
    const byte_view ready = stored_.require(1);
    zlib_.next_in = reinterpret_cast<z_const Bytef*>(ready.data);
    zlib_.avail_in = static_cast<uInt>(ready.size);
    const int status = inflate(&zlib_, Z_NO_FLUSH);
    stored_.consume(ready.size - zlib_.avail_in);
    switch (status) {
      case Z_OK:
        return;
      case Z_STREAM_END:
        inside_member_ = false;
        return;
      case Z_BUF_ERROR:  // no progress although there is room: the stored bytes are used up
        throw input_error("cannot read " + name_ + ": it is truncated, it ends at byte " +
                          std::to_string(stored_.position()) +
                          " inside the compressed data; get the whole file");
      case Z_MEM_ERROR:
        throw out_of_memory("no memory for zlib to read " + name_ + "; it needs less than 1 MiB");
      default:
        throw input_error("cannot read " + name_ + ": its gzip data is damaged near byte " +
                          std::to_string(stored_.position()) + " (" +
                          (zlib_.msg == nullptr ? "no details" : zlib_.msg) +
                          "); get the file again, gzip -t tests it");
    }
  }

  read_ahead stored_;
  std::string name_;
  z_stream zlib_{};
  bool any_member_ = false;
  bool inside_member_ = false;
};

}  // namespace

bool gzip_supported() noexcept { return true; }

std::string gzip_library() { return std::string("zlib ") + zlibVersion(); }

std::unique_ptr<byte_stream> gzip_stream(std::unique_ptr<byte_stream> stored, std::string name) {
  return std::make_unique<inflating_stream>(std::move(stored), std::move(name));
}

#else

bool gzip_supported() noexcept { return false; }

std::string gzip_library() { return {}; }

std::unique_ptr<byte_stream> gzip_stream(std::unique_ptr<byte_stream> /*stored*/, std::string name) {
  throw input_error(unsupported_problem(compression::gzip, name));
}

#endif

}  // namespace duomap
