// Tests that every vector path lists the delimiters and newlines of a tile.
#include "cpu/scan/field_ends.hpp"

#include "core/chunk.hpp"
#include "cpu/features.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace duomap::test::cpu_scan_field_ends_test {

using namespace cpu;

TEST_CASE("the ends of fields and lines by every vector path", "[field_ends]") {
  std::mt19937_64 random(seed());
  for (const std::uint32_t count :
       {0u, 1u, 31u, 32u, 33u, 63u, 64u, field_tile_bytes - 1, field_tile_bytes}) {
    for (const unsigned rarity : {1u, 2u, 7u, 60u}) {
      std::string text(field_tile_bytes + read_padding, ',');
      for (char& c : text)
        c = random() % rarity == 0 ? ",\n"[random() % 2] : static_cast<char>(random() % 256);
      for (const vector_path path : {vector_path::portable, vector_path::avx2, vector_path::avx512}) {
        if (path > best_vector_path()) continue;
        const auto found = std::make_unique<field_ends>();
        find_field_ends_for(path)(text.data(), count, ',', *found);
        std::vector<std::uint16_t> at;
        std::vector<std::uint16_t> rows;
        for (std::uint32_t i = 0; i < count; ++i) {
          if (text[i] == '\n') rows.push_back(static_cast<std::uint16_t>(at.size()));
          if (text[i] == '\n' || text[i] == ',') at.push_back(static_cast<std::uint16_t>(i));
        }
        CHECK(std::vector<std::uint16_t>(found->at, found->at + found->count) == at);
        CHECK(std::vector<std::uint16_t>(found->row_ends, found->row_ends + found->rows) == rows);
      }
    }
  }
}

}  // namespace duomap::test::cpu_scan_field_ends_test
