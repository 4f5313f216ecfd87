// Calls the lz4 library, or reports that this build lacks it.
#include "core/input/lz4_stream.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"

#if DUOMAP_HAS_LZ4
#include "core/input/decompressing_stream.hpp"

#include <lz4.h>
#include <lz4frame.h>

#include <utility>
#endif

namespace duomap {

#if DUOMAP_HAS_LZ4

namespace {

class unlz4_stream final : public decompressing_stream {
 public:
  unlz4_stream(std::unique_ptr<byte_stream> stored, std::string name)
    : decompressing_stream(std::move(stored), compression::lz4, std::move(name)) {
    if (LZ4F_isError(LZ4F_createDecompressionContext(&lz4_, LZ4F_VERSION))) {
      throw out_of_memory("no memory for lz4 to read " + this->name() + "; it needs less than 1 MiB");
    }
  }
  unlz4_stream(const unlz4_stream&) = delete;
  unlz4_stream& operator=(const unlz4_stream&) = delete;
  ~unlz4_stream() override { LZ4F_freeDecompressionContext(lz4_); }

 private:
  progress step(byte_view stored, char* into, std::uint64_t room) override {
    std::size_t taken = stored.size;
    std::size_t given = room;
    const std::size_t status = LZ4F_decompress(lz4_, into, &given, stored.data, &taken, nullptr);
    if (LZ4F_isError(status)) {
      throw input_error("cannot read " + name() + ": its lz4 data is damaged at or after byte " +
                        std::to_string(position()) + " (" + LZ4F_getErrorName(status) +
                        "); get the file again, lz4 -t tests it");
    }
    return {taken, given, status == 0};
  }

  LZ4F_dctx* lz4_ = nullptr;
};

}  // namespace

bool lz4_supported() noexcept { return true; }

std::string lz4_library() { return std::string("lz4 ") + LZ4_versionString(); }

std::unique_ptr<byte_stream> open_lz4(std::unique_ptr<byte_stream> stored, std::string name) {
  return std::make_unique<unlz4_stream>(std::move(stored), std::move(name));
}

#else

bool lz4_supported() noexcept { return false; }

std::string lz4_library() { return {}; }

std::unique_ptr<byte_stream> open_lz4(std::unique_ptr<byte_stream> /*stored*/, std::string name) {
  throw input_error(unsupported_problem(compression::lz4, name));
}

#endif

}  // namespace duomap
