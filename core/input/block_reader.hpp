// Cuts a stream into blocks of whole records.
#pragma once

#include "core/boundary.hpp"
#include "core/input/block.hpp"
#include "core/input/source.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace duomap {

/// Reads a byte_stream block by block. Every block ends where boundary::last_start allows a cut. The bytes
/// behind the cut begin the next block. All blocks together are the stream from its first record on.
///
/// Several threads may read parts of the stream (byte_stream::take_part) at once. They cut their blocks in
/// turn, because each block begins with the rest of the previous one. A turn takes no longer than copying
/// that rest.
///
/// Cost: the reader looks for a cut again only after the unfinished record has doubled. So it scans and moves
/// each byte only a few times, however long a record is. A block holds at most max(target, twice its longest
/// record) bytes, or the bytes of a part.
///
/// Not usable after an exception.
class block_reader {
 public:
  /// Reads `stream` to its end. `records` must outlive the reader. A block has `target_bytes` bytes (at least
  /// 1), unless the stream ends or its records are long. `name` is the source's name, for messages.
  block_reader(std::unique_ptr<byte_stream> stream, const boundary& records, std::uint64_t target_bytes,
               std::string name = "input");

  /// Sets the size of the next blocks. Called by the thread that calls next().
  void set_target(std::uint64_t target_bytes) noexcept { target_bytes_ = target_bytes; }

  /// Fills `into` with the next whole records, at least one. At the end of the stream returns false and
  /// empties `into`. The last block ends with the stream. One thread at a time may call it, and it need not
  /// be the same one.
  /// @throws input_error, the first in the order of the stream; out_of_memory when a record exceeds the
  /// memory
  [[nodiscard]] bool next(block& into);

  /// Does next(into) for several threads. If this call takes a part of the stream for itself, it calls
  /// `pass_on` once: from then on another thread may call next(). Also returns false if no record ends in its
  /// part.
  [[nodiscard]] bool next(block& into, const std::function<void()>& pass_on);

  /// The position in the stream at which the next block begins. After the last block: the end of the stream.
  [[nodiscard]] std::uint64_t position() const noexcept { return offset_; }

 private:
  template <class Call>
  [[nodiscard]] bool in_turn(std::uint64_t number, const Call& call);
  [[nodiscard]] bool has_long_record();
  [[nodiscard]] std::uint64_t read_apart(block& into, stream_part& part);
  [[nodiscard]] bool join(block& into, std::uint64_t size);
  [[nodiscard]] bool next_in_order(block& into);
  [[nodiscard]] std::uint64_t read_more(block& into, std::uint64_t used, std::uint64_t goal);
  [[nodiscard]] bool begin_records(block& into, std::uint64_t& used);
  [[nodiscard]] bool hand_out(block& into, std::uint64_t used, std::uint64_t cut);
  void grow(block& into, std::uint64_t used, std::uint64_t capacity);
  [[noreturn]] void no_room(std::uint64_t used, std::uint64_t capacity) const;

  // Only the thread inside next() uses these members, until it calls `pass_on`.
  std::unique_ptr<byte_stream> stream_;
  std::uint64_t calls_ = 0;

  const boundary& records_;
  std::atomic<std::uint64_t>
      target_bytes_;  // atomic: a call that has passed on may read it while another thread sets it
  std::string name_;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  std::uint64_t turn_ = 0;  // the number of the call whose turn it is
  std::exception_ptr failure_;
  bool long_record_ = false;  // tail_ is larger than a block, so the next block is read in order (see Cost)

  // Only the call whose turn it is uses these members.
  std::vector<char> tail_;    // the beginning of the next block, read already
  std::uint64_t offset_ = 0;  // position of tail_ in the stream
  bool started_ = false;      // the first record has been found
  bool ended_ = false;
};

}  // namespace duomap
