// Finds the members or frames of a stored text and decompresses them on threads.
#include "bench/baselines/decompress_alone.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#if DUOMAP_HAS_ISAL
#include <isa-l.h>
#endif
#if DUOMAP_HAS_ZSTD
#include <zstd.h>
#endif

namespace duomap::apps {
namespace {

[[noreturn]] [[maybe_unused]] void fail(const char* library) {
  throw error(exit_status::failed, std::string(library) + " does not decompress what was compressed for it");
}

/// Threads call work(index, buffer) once for every index, each thread with a buffer of its own. Returns the
/// sum of the results.
template <class Work>
std::uint64_t on_threads(unsigned threads, std::size_t count, std::size_t buffer_bytes, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::uint64_t> sum = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  {
    std::vector<std::jthread> all;
    for (unsigned i = 0; i < std::min<std::size_t>(threads, count); ++i) {
      all.emplace_back([&] {
        try {
          std::vector<char> buffer(buffer_bytes);
          for (std::size_t index = next++; index < count; index = next++) sum += work(index, buffer);
        } catch (...) {
          const std::lock_guard lock(mutex);
          failure = std::current_exception();
        }
      });
    }
  }
  if (failure) std::rethrow_exception(failure);
  return sum;
}

#if DUOMAP_HAS_ISAL

/// Prepares ISA-L to read one gzip member.
void begin_member(inflate_state& isal, byte_view stored) {
  isal_inflate_init(&isal);
  isal.crc_flag = ISAL_GZIP;
  isal.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(stored.data));
  isal.avail_in = static_cast<std::uint32_t>(stored.size);
}

void set_output(inflate_state& isal, std::vector<char>& buffer) {
  isal.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
  isal.avail_out = static_cast<std::uint32_t>(buffer.size());
}

/// Decompresses one gzip member of any length.
std::uint64_t inflate_long_member(byte_view stored, std::vector<char>& buffer) {
  inflate_state isal;
  begin_member(isal, stored);
  std::uint64_t text = 0;
  do {
    set_output(isal, buffer);
    if (isal_inflate(&isal) != ISAL_DECOMP_OK) fail("ISA-L");
    const std::uint64_t given = buffer.size() - isal.avail_out;
    if (given == 0 && isal.block_state != ISAL_BLOCK_FINISH) fail("ISA-L");
    text += given;
  } while (isal.block_state != ISAL_BLOCK_FINISH);
  return text;
}

/// Decompresses, in one call, one gzip member whose text fits into the buffer. ISA-L has no faster way.
std::uint64_t inflate_member(byte_view stored, std::vector<char>& buffer) {
  inflate_state isal;
  begin_member(isal, stored);
  set_output(isal, buffer);
  if (isal_inflate_stateless(&isal) != ISAL_DECOMP_OK) fail("ISA-L");
  return buffer.size() - isal.avail_out;
}

/// The offset of each BGZF member, read from the members' own sizes, and the end of the last member.
std::vector<std::uint64_t> bgzf_starts(byte_view stored) {
  constexpr std::uint64_t size_at = 16;
  std::vector<std::uint64_t> starts;
  std::uint64_t at = 0;
  for (; at + size_at + 1 < stored.size;) {
    starts.push_back(at);
    at += (static_cast<std::uint64_t>(static_cast<unsigned char>(stored[at + size_at])) |
           static_cast<std::uint64_t>(static_cast<unsigned char>(stored[at + size_at + 1])) << 8) +
          1;
  }
  starts.push_back(at);
  return starts;
}

#endif

#if DUOMAP_HAS_ZSTD

std::vector<std::uint64_t> frame_starts(byte_view stored) {
  std::vector<std::uint64_t> starts;
  std::uint64_t at = 0;
  while (at < stored.size) {
    starts.push_back(at);
    const std::size_t size = ::ZSTD_findFrameCompressedSize(stored.data + at, stored.size - at);
    if (::ZSTD_isError(size) != 0) fail("zstd");
    at += size;
  }
  starts.push_back(at);
  return starts;
}

std::uint64_t decompress_frame(byte_view stored, std::vector<char>& buffer) {
  const std::size_t text = ::ZSTD_decompress(buffer.data(), buffer.size(), stored.data, stored.size);
  if (::ZSTD_isError(text) != 0) fail("zstd");
  return text;
}

std::uint64_t decompress_stream(byte_view stored) {
  ZSTD_DStream* const zstd = ::ZSTD_createDStream();
  std::vector<char> buffer(std::size_t{1} << 20);
  ZSTD_inBuffer in{stored.data, stored.size, 0};
  std::uint64_t text = 0;
  std::size_t status = 1;
  while (status != 0 && ::ZSTD_isError(status) == 0) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    status = ::ZSTD_decompressStream(zstd, &out, &in);
    text += out.pos;
  }
  ::ZSTD_freeDStream(zstd);
  if (status != 0) fail("zstd");
  return text;
}

#endif

}  // namespace

std::string_view decompressor_of(stored_as form) {
  switch (form) {
    case stored_as::plain:
      break;
    case stored_as::gzip:
    case stored_as::bgzip:
      return DUOMAP_HAS_ISAL ? "ISA-L" : "";
    case stored_as::zstd:
    case stored_as::zstd_frames:
      return DUOMAP_HAS_ZSTD ? "zstd" : "";
  }
  return "";
}

std::uint64_t decompress_alone(stored_as form, byte_view stored, unsigned threads) {
#if DUOMAP_HAS_ISAL
  if (form == stored_as::gzip) {
    std::vector<char> buffer(std::size_t{1} << 20);
    return inflate_long_member(stored, buffer);
  }
  if (form == stored_as::bgzip) {
    const std::vector<std::uint64_t> at = bgzf_starts(stored);
    // A thread takes 16 members at a time, because one member takes a fraction of a millisecond.
    constexpr std::size_t together = 16;
    const std::size_t members = at.size() - 1;
    return on_threads(threads, (members + together - 1) / together, std::size_t{64} << 10,
                      [&](std::size_t index, std::vector<char>& buffer) {
                        std::uint64_t text = 0;
                        const std::size_t end = std::min(members, (index + 1) * together);
                        for (std::size_t i = index * together; i < end; ++i)
                          text += inflate_member(stored.sub(at[i], at[i + 1] - at[i]), buffer);
                        return text;
                      });
  }
#endif
#if DUOMAP_HAS_ZSTD
  if (form == stored_as::zstd) return decompress_stream(stored);
  if (form == stored_as::zstd_frames) {
    const std::vector<std::uint64_t> at = frame_starts(stored);
    return on_threads(threads, at.size() - 1, text_of_frame,
                      [&](std::size_t index, std::vector<char>& buffer) {
                        return decompress_frame(stored.sub(at[index], at[index + 1] - at[index]), buffer);
                      });
  }
#endif
  static_cast<void>(threads);
  expects(form == stored_as::plain, "a form that this build does not decompress is not asked for");
  return stored.size;
}

}  // namespace duomap::apps
