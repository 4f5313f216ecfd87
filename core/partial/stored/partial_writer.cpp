// Writes partitions, and the header behind them.
#include "core/partial/stored/partial_writer.hpp"

#include "core/partial/stored/checksum.hpp"
#include "core/partial/stored/encoding.hpp"

namespace duomap {

partial_writer::partial_writer(byte_sink& to) : to_(to) {
  encoder first;
  first.raw({partial_magic, sizeof partial_magic});
  first.object(partial_header::version);
  first.object(std::uint32_t{0});
  write(first.bytes());
}

void partial_writer::partition(byte_view bytes, std::uint64_t entries) {
  partitions_.push_back({written_, bytes.size, entries, checksum_of(bytes)});
  write(bytes);
}

void partial_writer::finish(const partial_header& header) {
  encoder to;
  to.text(header.task.name);
  to.text(header.task.parameters);
  to.text(header.layout);
  to.number(header.keys);
  to.object(header.hash);
  to.number(header.covers.sources().size());
  for (const covered_input::source& one : header.covers.sources()) {
    to.text(one.name);
    to.number(one.units);
    to.number(one.stream ? 1 : 0);
    to.number(one.intervals.size());
    for (const auto& [begin, end] : one.intervals) {
      to.number(begin);
      to.number(end);
    }
  }
  to.number(partitions_.size());
  for (const stored_partition& one : partitions_) {
    to.object(one.offset);
    to.object(one.bytes);
    to.object(one.entries);
    to.object(one.checksum);
  }
  const std::uint64_t begin = written_;
  write(to.bytes());
  encoder last;
  last.object(begin);
  last.object(checksum_of(to.bytes()));
  last.raw({partial_magic, sizeof partial_magic});
  write(last.bytes());
}

void partial_writer::write(byte_view bytes) {
  to_.write(bytes);
  written_ += bytes.size;
}

}  // namespace duomap
