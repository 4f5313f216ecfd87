// Tests the inverted index: which tags are links, and that cuts, threads and kinds of input do not matter.
#include "apps/tasks/invertedindex/chunked_links.hpp"
#include "apps/tasks/invertedindex/find_links.hpp"
#include "apps/tasks/invertedindex/link_index.hpp"
#include "core/input/memory_source.hpp"
#include "cpu/machine_pool.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"
#include "tests/support/html_pages.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap::test::apps_tasks_invertedindex_invertedindex_test {
namespace {

using apps::find_links;
using apps::link_index;
using apps::link_place;

using link_rows = std::vector<std::tuple<std::string, std::uint32_t, std::uint64_t>>;

link_rows rows_of(const link_index& index) {
  link_rows rows;
  index.for_each([&](byte_view target, std::span<const link_place> places) {
    for (const link_place& place : places) rows.emplace_back(target.text(), place.source, place.offset);
  });
  CHECK(rows.size() == index.links());
  return rows;
}

link_rows links_of(const std::string& page, const std::vector<std::uint64_t>& cuts = {}) {
  return rows_of(apps::index_in_chunks(text_source(page, "page"), cuts));
}

/// The targets in their order on the page.
std::vector<std::string> targets_of(const std::string& page) {
  auto rows = links_of(page);
  std::sort(rows.begin(), rows.end(),
            [](const auto& a, const auto& b) { return std::get<2>(a) < std::get<2>(b); });
  std::vector<std::string> targets;
  for (const auto& row : rows) targets.push_back(std::get<0>(row));
  return targets;
}

std::vector<std::uint64_t> every(std::uint64_t step, std::uint64_t size) {
  std::vector<std::uint64_t> cuts;
  for (std::uint64_t at = step; at < size; at += step) cuts.push_back(at);
  return cuts;
}

using list = std::vector<std::string>;

TEST_CASE("links: targets and places, grouped and sorted") {
  const link_rows expected = {{"a", 0, 14}, {"b", 0, 0}, {"b", 0, 42}};
  CHECK(links_of("<a href=\"b\">1 <AREA Href = 'a' alt=\"\"><b> <a\nid=x\thref=b\n>2</a>") == expected);
}

TEST_CASE("links: which tags and attributes") {
  CHECK(targets_of("<a href=x><abbr href=no><link href=no><area href=y><aa href=no><a\fhref=z>") ==
        list{"x", "y", "z"});
  CHECK(targets_of(
            "<a hrefx=no href=1 href=2><a href><a href=><a data-href=no><a/href=3><a title='>'href=4>") ==
        list{"1", "", "", "3", "4"});
  CHECK(targets_of("< a href=no></a href=no><?a href=no><!a href=no>") == list{});
  CHECK(targets_of(std::string("<a\0href=no><a hre\0f=no>", 24)) == list{});
  CHECK(targets_of("<a href==x><a href = 'y'id=z><a href=z/><a x='y'href=\"it's\"><a =href=1 href=2>") ==
        list{"=x", "y", "z/", "it's", "2"});
  CHECK(targets_of("<a href=\" two\nlines \"><a href=caf\xC3\xA9><a href='\xFF'>") ==
        list{" two\nlines ", "caf\xC3\xA9", "\xFF"});
}

TEST_CASE("links: references in targets are decoded and meet what is written plainly") {
  const link_rows expected = {{"a&b", 0, 0}, {"a&b", 0, 16}, {"a&b", 0, 32}};
  CHECK(links_of("<a href='a&b'>  <a href=a&amp;b><a href=\"a&#x26;b\">") == expected);
}

TEST_CASE("links: ends of lines and null characters of targets are those of browsers") {
  CHECK(targets_of(std::string("<a href='\r\n1\r2\0&#13;'>", 23)) == list{"\n1\n2\xEF\xBF\xBD\r"});
}

TEST_CASE("links: quotes of start and of end tags hide them") {
  CHECK(targets_of("<p></p title=\"<a href=no>\"><a href=1></p x='>' y='<a href=no>'><a href=2>") ==
        list{"1", "2"});
  CHECK(targets_of("<p x=\"<a href=no>\" y='<!--'><a href=1><a x='<a href=no>' href=2><b "
                   "x=\"--><script>\"><a href=3>") == list{"1", "2", "3"});
  CHECK(targets_of("<a href=\"<b>\"><a href='<?x?>y'>") == list{"<b>", "<?x?>y"});
  CHECK(targets_of("<p><script></script x='<a href=no>'><a href=1>") == list{"1"});
}

TEST_CASE("links: a '<' outside of quotes is part of the tag that it stands in") {
  CHECK(targets_of("<a href=1 <a href=no><b <a href=no></b <a href=no><a x=<a href=2><a<a href=no>") ==
        list{"1", "2"});
}

TEST_CASE("links: declarations end with their first '>'") {
  CHECK(targets_of("<! <a href=no><?x y='<a href=no><a href=1></3 <a href=no></ <a href=no><a href=2>") ==
        list{"1", "2"});
  CHECK(targets_of("<!doctype html public \"<a href=no>\"<a href=1><![CDATA[<a href=no> <a href=2>]]>") ==
        list{"1", "2"});
  CHECK(targets_of("</<a href=no><a href=1></><a href=2><3 <a href=3>") == list{"1", "2", "3"});
}

TEST_CASE("links: comments hide them") {
  CHECK(targets_of("<!-- <a href=no> --><a href=1><!--><a href=2><!---><a href=3><!-- --!><a href=4>") ==
        list{"1", "2", "3", "4"});
  CHECK(targets_of("<!--!><a href=no>--><a href=1><!---!><a href=no>--><a href=2>") == list{"1", "2"});
  CHECK(targets_of("<!-- <!--!><a href=1><!-- <--><a href=2><!-- never ends <a href=no>") == list{"1", "2"});
}

TEST_CASE("links: elements whose text has no tags hide them") {
  for (const std::string name :
       {"script", "style", "xmp", "iframe", "noembed", "noframes", "title", "textarea"}) {
    INFO(name);
    const std::string begin = "<" + name + ">", end = "</" + name;
    CHECK(targets_of(begin + "'<a href=no></b>'" + end + "><a href=1>") == list{"1"});
    CHECK(targets_of(begin + end + "x><a href=no></p>" + end + "\t><a href=1>") == list{"1"});
    CHECK(targets_of(begin + end + "<a href=no>" + end + "/><a href=1>") == list{"1"});
    CHECK(targets_of("<" + name + " x='" + end + ">'><a href=no>" + end + "><a href=1>") == list{"1"});
    CHECK(targets_of("<" + name + "/><a href=no>" + end + "><a href=1>") == list{"1"});
    CHECK(targets_of(begin + "<a href=no>") == list{});
    CHECK(targets_of("<" + name + "s><a href=1>") == list{"1"});
  }
  CHECK(targets_of("<STYLE><a href=no></Style ><a href=1><TextArea><a href=no></tEXTaREA><a href=2>") ==
        list{"1", "2"});
  CHECK(targets_of("<a href=1><plaintext><a href=no></plaintext><a href=no>") == list{"1"});
  CHECK(targets_of("<noscript><a href=1></noscript><listing><a href=2></listing>") == list{"1", "2"});
}

TEST_CASE("links: a script in a comment in a script hides its own end") {
  CHECK(targets_of("<script><!-- </script><a href=1>") == list{"1"});
  CHECK(targets_of("<script><!-- <script> </script><a href=no></script><a href=1>") == list{"1"});
  CHECK(targets_of("<script><!-- <script> --></script><a href=1>") == list{"1"});
  CHECK(targets_of("<script><!--><script></script><a href=1>") == list{"1"});
  CHECK(targets_of("<script><!-- --!><script x></script><a href=no>--></script><a href=1>") == list{"1"});
  CHECK(targets_of("<script><script></script><a href=1>") == list{"1"});
  CHECK(targets_of("<style><!-- <style> </style><a href=1>") == list{"1"});
}

TEST_CASE("links: a tag that the end of the source cuts is none, and hides what stands in it") {
  CHECK(targets_of("<a href=1><a href=no") == list{"1"});
  CHECK(targets_of("<a href=1><a href='no'") == list{"1"});
  CHECK(targets_of("<a href=\"never closed <a href=no>") == list{});
  CHECK(targets_of("<<<a href=1><<") == list{"1"});
}

TEST_CASE("links: a tag that holds a tag's beginning ends in time or is text") {
  for (const std::uint64_t bytes : {16300u, 16384u, 16385u, 40000u}) {
    for (const std::string quote : {"\"", "'"}) {
      // A tag of `bytes` bytes that has another tag's begin inside.
      const std::string begin = "a href=" + quote + "<a href=1>";
      const std::string page =
          "<" + begin + std::string(bytes - begin.size() - 2, 'x') + quote + "><a href=2>";
      INFO(bytes << " bytes in " << quote);
      const auto found = targets_of(page);
      REQUIRE(found.size() == 2);
      CHECK((found[0] == "1") == (bytes > apps::most_tag_bytes));
      CHECK(found[1] == "2");
      const auto expected = links_of(page);
      for (const std::uint64_t cut : {1u, 8u, 10u, 17u, 18u, 19u, 25u, 16000u, 16390u}) {
        CHECK(links_of(page, {cut}) == expected);
        CHECK(links_of(page, {10, cut, cut + 300}) == expected);
      }
      CHECK(
          links_of("<a href=2>" + std::string(bytes, 'y') + page, every(1000, page.size() + bytes)).size() ==
          3);
    }
  }
  // Without another '<' inside, a tag may have any length.
  CHECK(targets_of("<a href='" + std::string(100'000, 'x') + "'>").at(0).size() == 100'000);
}

TEST_CASE("links: every beginning of a page, cut anywhere") {
  auto random = std::mt19937_64(seed());
  const int pages = 10;
  for (int i = 0; i < pages; ++i) {
    const std::string page = random_page(random, 60, false);
    for (std::uint64_t size = 0; size <= page.size(); ++size) {
      INFO("page " << i << ", " << size << " bytes");
      // A read outside the page and its padding is a fault.
      const guarded_bytes bytes(page.substr(0, size), read_padding);
      const view_source beginning(bytes.view(), "page");
      const auto expected = rows_of(apps::index_in_chunks(beginning, {}));
      for (std::uint64_t cut = 1; cut < size; cut += 1 + cut / 8)
        CHECK(rows_of(apps::index_in_chunks(beginning, {cut})) == expected);
      for (const std::uint64_t step : {1u, 2u, 5u, 9u})
        CHECK(rows_of(apps::index_in_chunks(beginning, every(step, size))) == expected);
    }
  }
}

TEST_CASE("links: long pages cut anywhere") {
  auto random = std::mt19937_64(seed());
  for (int i = 0; i < 40; ++i) {
    const std::string page = random_page(random, 100'000, true);
    const auto expected = links_of(page);
    for (const std::uint64_t mean : {500u, 5000u, 40'000u}) {
      std::vector<std::uint64_t> cuts;
      for (std::uint64_t at = random() % mean; at < page.size(); at += 1 + random() % (2 * mean))
        cuts.push_back(at);
      INFO("page " << i << ", cuts every " << mean);
      CHECK(links_of(page, cuts) == expected);
    }
  }
}

TEST_CASE("links: any number of threads and any form of input") {
  auto random = std::mt19937_64(seed());
  const std::uint64_t large = torture ? 3000 : 1'500'000;
  const sample pages{"page",
                     {random_page(random, 3000, false), "", random_page(random, large, !torture), "<",
                      "--><a href=1><!--", random_page(random, 20'000, false)}};
  link_rows expected;
  for (std::uint32_t i = 0; i < pages.parts.size(); ++i) {
    for (auto& [target, source, offset] : links_of(pages.parts[i])) expected.emplace_back(target, i, offset);
  }
  std::sort(expected.begin(), expected.end());
  for (const unsigned threads : {1u, 2u, 7u}) {
    cpu::tbb_pool pool(threads);
    for (const layout form : {layout::addressable, layout::streamed, layout::alternating}) {
      INFO(threads << " threads, form " << static_cast<int>(form));
      CHECK(rows_of(link_index(run(find_links{}, make_input(pages, form), pool), pool)) == expected);
    }
  }
}

TEST_CASE("links: what hides them reaches over the parts of any number of workers") {
  auto random = std::mt19937_64(seed());
  cpu::tbb_pool pools[] = {cpu::tbb_pool(2), cpu::tbb_pool(5), cpu::tbb_pool(16)};
  const auto check = [&](const std::string& page) {
    const auto expected = links_of(page);
    for (cpu::tbb_pool& pool : pools) {
      INFO(pool.workers() << " workers, page of " << page.size() << " bytes");
      CHECK(rows_of(link_index(run(find_links{}, text_input(page), pool), pool)) == expected);
    }
  };
  for (int i = 0; i < 30; ++i) check(random_page(random, 100u << i % 6, false));
  std::string links;
  for (int i = 0; i < 40; ++i) links += "<a href=" + std::to_string(i % 7) + "><a href='1&#" + "48;'>";
  check("<!--" + links);
  check("<a href=0><!--" + links + "--><a href=1>" + links);
  check("<script>" + links + "<!--" + links + "</script>" + links + "-->" + links);
  check(links + "<p title='" + links + "'>" + links + "<style>" + links);
}

void check_on_gpu(std::uint64_t large) {
  auto random = std::mt19937_64(seed());
  const sample pages{"page",
                     {random_page(random, large, !torture), random_page(random, 1000, false), "",
                      random_page(random, 1024, false), "-->" + random_page(random, large / 3, false)}};
  for (const layout form : {layout::addressable, layout::streamed}) {
    const input from = make_input(pages, form);
    const auto expected = rows_of(
        link_index(run(find_links{}, from, {.device = device_choice::cpu}), *cpu::machine_pool(0, from)));
    for (const auto device : {device_choice::gpu, device_choice::cpu_gpu}) {
      INFO("form " << static_cast<int>(form) << ", device " << static_cast<int>(device));
      const auto pool = cpu::machine_pool(0, from);
      const run_options options{
          .device = device, .share = device == device_choice::gpu ? share_choice{} : parse_share("gpu=0.5")};
      CHECK(rows_of(link_index(run(find_links{}, from, *pool, options), *pool)) == expected);
    }
  }
}

TEST_CASE("links on a GPU: as on the CPU", "[gpu]") {
  if (no_gpu()) return;
  check_on_gpu(torture ? 5000 : 3'000'000);
}

TEST_CASE("links on a GPU: a few pages", "[gpu][sanitize]") {
  if (no_gpu()) return;
  check_on_gpu(5000);
}

}  // namespace
}  // namespace duomap::test::apps_tasks_invertedindex_invertedindex_test
