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

/// Reads a byte_stream block by block. Every block ends where boundary::last_start allows a cut; the bytes
/// behind the cut begin the next block. The blocks, one after the other, are exactly the stream from its
/// first record on.
///
/// Parts of a stream (byte_stream::take_part) are read by several threads at once. Then they cut their blocks
/// in turn, because each block begins with the rest of the previous one: a turn takes no longer than copying
/// the beginning of a record.
///
/// Cost: a cut is looked for only after the unfinished record has at least doubled, so that the bytes scanned
/// and the bytes moved stay below a small multiple of the bytes read, however long a record is. A block holds
/// at most max(target, twice its longest record) bytes, or the bytes of a part.
///
/// Not usable after an exception.
class block_reader {
 public:
  /// `stream` is read to its end; `records` must outlive the reader; `target_bytes` (at least 1) is the size
  /// of a block unless the stream ends or its records are long; `name` is the source's name, for messages.
  block_reader(std::unique_ptr<byte_stream> stream, const boundary& records, std::uint64_t target_bytes,
               std::string name = "input");

  /// Sets the size of the next blocks. Called by the thread that calls next().
  void set_target(std::uint64_t target_bytes) noexcept { target_bytes_ = target_bytes; }

  /// Fills `into` with the next whole records; false at the end of the stream, `into` is then empty. The last
  /// block ends where the stream ends. No block is empty. One caller at a time; successive calls may come
  /// from different threads.
  /// @throws input_error from the stream, the first failure in its order; out_of_memory when a record does
  /// not fit into memory.
  [[nodiscard]] bool next(block& into);

  /// Does next(into), and calls `pass_on` once when another thread may call next(), although this call goes
  /// on with a part of its own. False may then also mean that no record ends in that part.
  [[nodiscard]] bool next(block& into, const std::function<void()>& pass_on);

  /// The position in the stream at which the next block begins; after the last block, the position at which
  /// the stream ended.
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

  // Used by one caller of next() at a time, until it passes on.
  std::unique_ptr<byte_stream> stream_;
  std::uint64_t calls_ = 0;

  const boundary& records_;
  std::atomic<std::uint64_t>
      target_bytes_;  // a call that has passed on may read it while the next one sets it
  std::string name_;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  std::uint64_t turn_ = 0;  // the number of the call whose turn it is
  std::exception_ptr failure_;
  bool long_record_ =
      false;  // the rest in tail_ exceeds a block: the next block is read in order, for the cost said above

  // Used by the call whose turn it is.
  std::vector<char> tail_;    // read but not handed out: the beginning of the next block
  std::uint64_t offset_ = 0;  // of tail_ in the stream
  bool started_ = false;      // the first record has been found
  bool ended_ = false;
};

}  // namespace duomap
