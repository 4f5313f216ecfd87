// Changes numbers and bytes of a stored partial, and corrects its checksums.
#pragma once

#include "core/partial/stored/checksum.hpp"
#include "core/partial/stored/encoding.hpp"
#include "core/partial/stored/partial_reader.hpp"
#include "core/partial/stored/partial_writer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test {

/// A stored partial in pieces, which can be put together again with right checksums.
struct taken_apart {
  std::string header;  // without its table of partitions
  std::vector<std::string> partitions;
  std::vector<stored_partition> table;

  explicit taken_apart(const std::string& stored) {
    const partial_reader reader(std::string_view(stored), "stored");
    std::uint64_t begin = 0;
    std::memcpy(&begin, stored.data() + stored.size() - 24, sizeof begin);
    table.resize(reader.partitions());
    const std::uint64_t table_bytes = sizeof(stored_partition) * table.size();
    std::memcpy(table.data(), stored.data() + stored.size() - 24 - table_bytes, table_bytes);
    header = stored.substr(begin, stored.size() - 24 - table_bytes - begin);
    for (unsigned p = 0; p < reader.partitions(); ++p) partitions.push_back(reader.partition(p));
  }

  /// Sets the entry of a changed partition in the table.
  void enter(std::size_t p) {
    const std::string_view bytes = partitions[p];
    table[p].bytes = bytes.size();
    table[p].checksum = checksum_of(bytes);
    for (std::size_t next = p + 1; next < table.size(); ++next)
      table[next].offset = table[next - 1].offset + table[next - 1].bytes;
  }

  [[nodiscard]] std::string put_together() const {
    encoder file;
    file.raw({partial_magic, sizeof partial_magic});
    file.object(partial_header::version);
    file.object(std::uint32_t{0});
    for (const std::string& bytes : partitions) file.raw(std::string_view(bytes));
    const std::uint64_t begin = file.bytes().size();
    file.raw(std::string_view(header));
    file.raw({reinterpret_cast<const char*>(table.data()), sizeof(stored_partition) * table.size()});
    file.object(begin);
    file.object(checksum_of(std::string_view(file.bytes()).substr(begin, file.bytes().size() - begin - 8)));
    file.raw({partial_magic, sizeof partial_magic});
    return file.bytes();
  }
};

/// A change that six random bytes choose.
class partial_change {
 public:
  explicit partial_change(const std::uint8_t* from) { std::memcpy(bytes_.data(), from, size); }
  static constexpr std::size_t size = 6;

  /// Returns the number of the changed partition; the number of partitions if the header was changed.
  std::size_t apply(taken_apart& to) const {
    if (bytes_[0] % 8 == 0) {
      apply(to.header);
      return to.partitions.size();
    }
    std::vector<std::size_t> filled;
    for (std::size_t p = 0; p < to.partitions.size(); ++p) {
      if (to.table[p].entries > 0) filled.push_back(p);
    }
    const std::size_t p = filled.empty() ? 0 : filled[bytes_[0] / 8 % filled.size()];
    if (bytes_[1] % 16 == 15) {
      to.table[p].entries = number();
    } else {
      apply(to.partitions[p]);
      to.enter(p);
    }
    return p;
  }

 private:
  [[nodiscard]] std::uint64_t number() const {
    constexpr std::uint64_t one = 1;
    constexpr std::uint64_t edges[] = {0,
                                       16,
                                       127,
                                       255,
                                       1000,
                                       65'535,
                                       one << 20,
                                       one << 31,
                                       (one << 32) - 1,
                                       one << 32,
                                       one << 47,
                                       one << 62,
                                       one << 63,
                                       262'144,
                                       262'220,
                                       ~std::uint64_t{0}};
    return edges[bytes_[4] % std::size(edges)] +
           static_cast<std::uint64_t>(static_cast<std::int8_t>(bytes_[5]));
  }

  void apply(std::string& to) const {
    if (to.empty()) return;
    const std::size_t at = (bytes_[2] + 256U * bytes_[3]) % to.size();
    const std::uint64_t value = number();
    const auto put = [&](std::size_t count) {
      std::memcpy(to.data() + at, &value, std::min(count, to.size() - at));
    };
    switch (bytes_[1] % 8) {
      case 0:
        to[at] = static_cast<char>(bytes_[5]);
        return;
      case 1:
        to[at] = static_cast<char>(to[at] ^ (1 << bytes_[5] % 8));
        return;
      case 2:
        return put(4);
      case 3:
        return put(8);
      case 4: {  // a number of any length
        std::size_t end = at;
        while (end + 1 < to.size() && (to[end] & 0x80) != 0) ++end;
        encoder other;
        other.number(value);
        to.replace(at, end + 1 - at, other.bytes());
        return;
      }
      case 5:
        to.erase(at, 1 + bytes_[4] % 32U);
        return;
      case 6:
        to.insert(at, to.substr(bytes_[5] % to.size(), 1 + bytes_[4] % 32U));
        return;
      default:
        to.insert(at, 1 + bytes_[4] % 32U, static_cast<char>(bytes_[5]));
        return;
    }
  }

  std::array<std::uint8_t, size> bytes_;
};

}  // namespace duomap::test
