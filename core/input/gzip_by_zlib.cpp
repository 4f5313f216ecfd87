// Decompresses gzip by zlib, which every system has.
#include "core/input/compression.hpp"
#include "core/input/gzip_decoders.hpp"

#if DUOMAP_HAS_ZLIB
#include "core/error.hpp"
#include "core/input/decompressing_stream.hpp"
#include "core/input/gzip_members.hpp"

#define ZLIB_CONST  // makes zlib declare its input const
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace duomap {

namespace {

constexpr int gzip_only = 16 + MAX_WBITS;  // gzip headers, no zlib ones, any window size

constexpr member_format zlib_members{bgzf_member_at, open_gzip_by_zlib};

class zlib_stream final : public decompressing_stream {
 public:
  zlib_stream(std::unique_ptr<byte_stream> stored, std::string name, std::uint64_t position)
    : decompressing_stream(std::move(stored), compression::gzip, std::move(name), position, &zlib_members) {
    if (inflateInit2(&zlib_, gzip_only) != Z_OK) no_memory();
  }
  zlib_stream(const zlib_stream&) = delete;
  zlib_stream& operator=(const zlib_stream&) = delete;
  ~zlib_stream() override { inflateEnd(&zlib_); }

 private:
  void skip_padding(read_ahead& stored) override { skip_gzip_padding(stored); }

  void begin_member() override { inflateReset(&zlib_); }

  progress step(byte_view stored, char* into, std::uint64_t room) override {
    // zlib counts in 32 bits.
    const auto counted = [](std::uint64_t bytes) {
      return static_cast<uInt>(std::min<std::uint64_t>(bytes, std::numeric_limits<uInt>::max()));
    };
    zlib_.next_in = reinterpret_cast<z_const Bytef*>(stored.data);
    zlib_.avail_in = counted(stored.size);
    zlib_.next_out = reinterpret_cast<Bytef*>(into);
    zlib_.avail_out = counted(room);
    const int status = inflate(&zlib_, Z_NO_FLUSH);
    const progress made{counted(stored.size) - zlib_.avail_in, counted(room) - zlib_.avail_out,
                        status == Z_STREAM_END};
    switch (status) {
      case Z_OK:
      case Z_STREAM_END:
      case Z_BUF_ERROR:  // the stored bytes are used up
        return made;
      case Z_MEM_ERROR:
        no_memory();
      default:
        throw input_error("cannot read " + name() + ": its gzip data is damaged near byte " +
                          std::to_string(position() + made.taken) + " (" +
                          (zlib_.msg == nullptr ? "no details" : zlib_.msg) +
                          "); get the file again, gzip -t tests it");
    }
  }

  [[noreturn]] void no_memory() const {
    throw out_of_memory("no memory for zlib to read " + name() + "; it needs less than 1 MiB");
  }

  z_stream zlib_{};
};

}  // namespace

std::unique_ptr<byte_stream> open_gzip_by_zlib(std::unique_ptr<byte_stream> stored, std::string name,
                                               std::uint64_t position) {
  return std::make_unique<zlib_stream>(std::move(stored), std::move(name), position);
}

std::string zlib_version_text() { return std::string("zlib ") + zlibVersion(); }

}  // namespace duomap

#endif
