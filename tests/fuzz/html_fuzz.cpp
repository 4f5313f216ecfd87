// Fuzzes the reader of HTML: it reads nothing outside the page, and a page in chunks has the same links as a
// whole page. The first two bytes of the input choose the cut.
#include "apps/tasks/invertedindex/chunked_links.hpp"
#include "apps/tasks/invertedindex/link_index.hpp"
#include "core/input/memory_source.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace duomap;

using link_rows = std::vector<std::pair<std::string, std::uint64_t>>;

link_rows links_of(const source& page, const std::vector<std::uint64_t>& cuts) {
  link_rows rows;
  apps::index_in_chunks(page, cuts).for_each([&](byte_view target, std::span<const apps::link_place> places) {
    for (const apps::link_place& place : places) rows.emplace_back(target.text(), place.offset);
  });
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const test::exact_copy copy(data + 2, size - 2);
  const view_source page(copy.view(), "page");
  std::vector<std::uint64_t> cuts;
  for (std::uint64_t at = data[0]; at < copy.view().size; at += 1 + data[1]) cuts.push_back(at);
  const link_rows links = links_of(page, {});
  test::require(links == links_of(page, cuts), "cuts change nothing");
  for (const auto& [target, offset] : links) {
    test::require(offset + 2 < copy.view().size && copy.view()[offset] == '<', "a link is a tag");
    test::require((copy.view()[offset + 1] | 0x20) == 'a', "a link is an a or an area");
  }
  return 0;
}
