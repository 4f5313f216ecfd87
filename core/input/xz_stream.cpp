// Calls liblzma, or reports that this build lacks it.
#include "core/input/xz_stream.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"

#if DUOMAP_HAS_LZMA
#include "core/input/decompressing_stream.hpp"

#include <lzma.h>

#include <cstring>
#include <utility>
#endif

namespace duomap {

#if DUOMAP_HAS_LZMA

namespace {

// A small file can ask for a dictionary of 4 GiB. A file of xz -9 asks for 64 MiB.
constexpr std::uint64_t xz_memory_limit = std::uint64_t{144} << 20;

class unxz_stream final : public decompressing_stream {
 public:
  unxz_stream(std::unique_ptr<byte_stream> stored, std::string name)
    : decompressing_stream(std::move(stored), compression::xz, std::move(name)) {}
  unxz_stream(const unxz_stream&) = delete;
  unxz_stream& operator=(const unxz_stream&) = delete;
  ~unxz_stream() override { lzma_end(&lzma_); }

 private:
  /// A stream may be followed by any number of groups of four zero bytes.
  void skip_padding(read_ahead& stored) override {
    constexpr std::uint64_t padding = 4;
    for (;;) {
      const byte_view first = stored.require(padding);
      if (first.size < padding || std::memcmp(first.data, "\0\0\0", padding) != 0) return;
      stored.consume(padding);
    }
  }

  void begin_member() override {
    if (lzma_stream_decoder(&lzma_, xz_memory_limit, 0) != LZMA_OK) {
      throw out_of_memory("no memory for liblzma to read " + name() + "; it needs less than 1 MiB");
    }
  }

  progress step(byte_view stored, char* into, std::uint64_t room) override {
    lzma_.next_in = reinterpret_cast<const std::uint8_t*>(stored.data);
    lzma_.avail_in = stored.size;
    lzma_.next_out = reinterpret_cast<std::uint8_t*>(into);
    lzma_.avail_out = room;
    const lzma_ret status = lzma_code(&lzma_, LZMA_RUN);
    const progress made{stored.size - lzma_.avail_in, room - lzma_.avail_out, status == LZMA_STREAM_END};
    switch (status) {
      case LZMA_OK:
      case LZMA_STREAM_END:
      case LZMA_BUF_ERROR:  // the stored bytes are used up
        return made;
      case LZMA_MEM_ERROR:
        throw out_of_memory("no memory for liblzma to read " + name() + "; it needs up to 144 MiB per file");
      case LZMA_MEMLIMIT_ERROR:
        throw input_error(
            "cannot read " + name() +
            ": its xz data needs a dictionary larger than 128 MiB; decompress it first with xz -d");
      default:
        throw input_error("cannot read " + name() + ": its xz data is damaged near byte " +
                          std::to_string(position() + made.taken) + "; get the file again, xz -t tests it");
    }
  }

  lzma_stream lzma_ = LZMA_STREAM_INIT;
};

}  // namespace

bool xz_supported() noexcept { return true; }

std::string xz_library() { return std::string("liblzma ") + lzma_version_string(); }

std::unique_ptr<byte_stream> open_xz(std::unique_ptr<byte_stream> stored, std::string name) {
  return std::make_unique<unxz_stream>(std::move(stored), std::move(name));
}

#else

bool xz_supported() noexcept { return false; }

std::string xz_library() { return {}; }

std::unique_ptr<byte_stream> open_xz(std::unique_ptr<byte_stream> /*stored*/, std::string name) {
  throw input_error(unsupported_problem(compression::xz, name));
}

#endif

}  // namespace duomap
