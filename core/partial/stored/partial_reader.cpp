// Reads and checks the header and the partitions of a stored partial.
#include "core/partial/stored/partial_reader.hpp"

#include "core/error.hpp"
#include "core/partial/stored/checksum.hpp"
#include "core/partial/stored/partial_writer.hpp"
#include "core/path_problem.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace duomap {
namespace {

constexpr std::uint64_t first_bytes = sizeof partial_magic + 8;
constexpr std::uint64_t last_bytes = 16 + sizeof partial_magic;
constexpr std::uint64_t partition_bytes = 4 * sizeof(std::uint64_t);

std::string text_of(decoder& from) { return std::string(from.text().text()); }

covered_input::source source_from(decoder& from) {
  covered_input::source one{text_of(from), from.number(), from.number(1) == 1};
  std::uint64_t before = 0;
  for (std::uint64_t left = from.count(2); left > 0; --left) {
    const std::uint64_t begin = from.number(), end = from.number();
    const bool inside = one.stream ? begin == 0 && end == whole_stream : end <= one.units;
    if (begin >= end || (before > 0 && begin <= before) || !inside)
      from.refuse("what it covers of " + quoted(one.name) + " makes no sense");
    one.intervals.emplace_back(begin, end);
    before = end;
  }
  return one;
}

}  // namespace

// O_NONBLOCK, because otherwise the opening of a FIFO would wait for its writer.
partial_reader::partial_reader(const std::string& path)
  : name_(quoted(path)), file_(open_for_reading(path, O_NONBLOCK)) {
  struct stat status {};
  if (!file_ || ::fstat(file_.get(), &status) != 0) throw input_error(path_problem(path, errno));
  if (!S_ISREG(status.st_mode)) refuse("it is no regular file; store the partial in one");
  size_ = static_cast<std::uint64_t>(status.st_size);
  read_header();
}

partial_reader::partial_reader(byte_view bytes, std::string name)
  : name_(std::move(name)), memory_(bytes), size_(bytes.size) {
  read_header();
}

std::uint64_t partial_reader::entries() const noexcept {
  std::uint64_t all = 0;
  for (const stored_partition& one : partitions_) all += one.entries;
  return all;
}

std::string partial_reader::partition(unsigned p) const {
  expects(p < partitions_.size(), "there is no such partition");
  const stored_partition& one = partitions_[p];
  const std::string what = "partition " + std::to_string(p) + " of " + name_;
  std::string bytes = read(one.offset, one.bytes, what);
  if (checksum_of(std::string_view(bytes)) != one.checksum)
    throw input_error(what + " is damaged: its checksum is another one; make this partial again");
  return bytes;
}

void partial_reader::require(const task_identity& task, const std::string& layout, std::uint64_t keys,
                             unsigned partitions) const {
  const auto same = [&](const std::string& what, const std::string& wanted, const std::string& found,
                        const std::string& remedy) {
    if (wanted != found)
      refuse(what + " is '" + escaped_controls(found) + "' and not '" + escaped_controls(wanted) + "'; " +
             remedy);
  };
  const std::string one_task = "merge partials of one task only";
  same("its task", task.name, header_.task.name, one_task);
  same("what its task was given", task.parameters, header_.task.parameters,
       "map all parts with the same options, and give these to the merge, too");
  // The message does not show the layout, because the layout has the compiler's names of types.
  if (layout != header_.layout)
    refuse("the layout of its keys and values is that of another version of the task; map this part again");
  same("the number of its keys", std::to_string(keys), std::to_string(header_.keys), one_task);
  same("the number of its partitions", std::to_string(partitions), std::to_string(partitions_.size()),
       one_task);
  if (header_.hash != hash_fingerprint())
    refuse("its keys are hashed in another way; make it with this version of duomap");
}

void partial_reader::read_header() {
  if (size_ < first_bytes + last_bytes)
    refuse("it is no stored partial: it has " + std::to_string(size_) + " bytes");
  const std::string first = read(0, first_bytes, name_);
  const std::string last = read(size_ - last_bytes, last_bytes, name_);
  if (std::memcmp(first.data(), partial_magic, sizeof partial_magic) != 0)
    refuse("it is no stored partial; `duomap map` makes one");
  decoder beginning(std::string_view(first).substr(sizeof partial_magic), name_);
  std::uint32_t version = 0;
  std::uint32_t reserved = 0;
  beginning.object(version);
  beginning.object(reserved);
  if (version != partial_header::version || reserved != 0)
    refuse("it has version " + std::to_string(version) + ", and version " +
           std::to_string(partial_header::version) +
           " is read here; use the same version of duomap everywhere");

  decoder end(std::string_view(last), name_);
  std::uint64_t begin = 0;
  std::uint64_t checksum = 0;
  end.object(begin);
  end.object(checksum);
  if (std::memcmp(end.raw(sizeof partial_magic).data, partial_magic, sizeof partial_magic) != 0)
    refuse("its end is missing; make this partial again");
  if (begin < first_bytes || begin > size_ - last_bytes)
    refuse("its header is not in it; make this partial again");
  const std::string bytes = read(begin, size_ - last_bytes - begin, "the header of " + name_);
  if (checksum_of(std::string_view(bytes)) != checksum)
    refuse("the checksum of its header is another one; make this partial again");

  decoder from(std::string_view(bytes), "the header of " + name_);
  header_.task = {text_of(from), text_of(from)};
  header_.layout = text_of(from);
  header_.keys = from.number();
  from.object(header_.hash);
  std::vector<covered_input::source> sources;
  for (std::uint64_t left = from.count(4); left > 0; --left) sources.push_back(source_from(from));
  header_.covers = covered_input(std::move(sources));
  std::uint64_t behind = first_bytes;  // where the next partition begins
  for (std::uint64_t left = from.count(partition_bytes); left > 0; --left) {
    stored_partition one;
    from.object(one.offset);
    from.object(one.bytes);
    from.object(one.entries);
    from.object(one.checksum);
    if (one.offset != behind || one.bytes > begin - behind)
      from.refuse("its partitions do not lie side by side");
    behind += one.bytes;
    partitions_.push_back(one);
  }
  from.expect_end();
  if (behind != begin) from.refuse("its partitions do not lie side by side");
}

std::string partial_reader::read(std::uint64_t offset, std::uint64_t bytes, const std::string& what) const {
  if (!file_) return std::string(memory_.text().substr(offset, bytes));
  std::string all(bytes, '\0');
  for (std::uint64_t done = 0; done < bytes;) {
    const ssize_t count =
        ::pread(file_.get(), all.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw input_error("cannot read " + what + ": " + error_text(errno));
    if (count == 0) throw input_error(what + " was cut while it was being read; make this partial again");
    done += static_cast<std::uint64_t>(count);
  }
  return all;
}

void partial_reader::refuse(const std::string& why) const {
  throw input_error("cannot use " + name_ + ": " + why);
}

}  // namespace duomap
