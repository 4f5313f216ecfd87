// Makes HTML for tests, with everything that begins, ends or hides tags, in random order.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace duomap::test {

/// At least `bytes` bytes. If `with_runs`, the page has long runs, which matter to apps::most_tag_bytes.
[[nodiscard]] inline std::string random_page(std::mt19937_64& random, std::uint64_t bytes, bool with_runs) {
  static const std::string parts[] = {"<a href=\"x.html\">",
                                      "<a href='y'>",
                                      "<A HREF=z>",
                                      "<area href=\"m\">",
                                      "<a ",
                                      " href=\"",
                                      "href='",
                                      "\"",
                                      "'",
                                      ">",
                                      "<",
                                      "<!--",
                                      "-->",
                                      "--!>",
                                      "<!-->",
                                      "<script>",
                                      "</script>",
                                      "</SCRIPT >",
                                      "</scriptx>",
                                      "<SCRIPT src=\"a<b\">",
                                      "<script/>",
                                      "<style>",
                                      "</style\t>",
                                      "/>",
                                      "<p title=\"<a href=q>\">",
                                      "text",
                                      " ",
                                      "\n",
                                      "=",
                                      "&amp;",
                                      "&copy=1",
                                      std::string(1, '\0'),
                                      "\xFF\xFE",
                                      "<a href=\"",
                                      "</a>",
                                      "<div class=\"k\">",
                                      "don't",
                                      "<!DOCTYPE html>",
                                      "<a href>",
                                      "<a href=\"\">",
                                      "<abbr href=\"no\">",
                                      "<a title=\">\" href=h1 href=h2>",
                                      "<b data-x='",
                                      "<p></p title=\"",
                                      "<!",
                                      "<?php ",
                                      "</3",
                                      "<![CDATA[",
                                      "<!-->",
                                      "<!--!>",
                                      "<!---!>",
                                      "<textarea>",
                                      "</textarea x='",
                                      "<title>",
                                      "</title>",
                                      "</title ",
                                      "<xmp>",
                                      "</xmp>",
                                      "<noframes ",
                                      "</noframes>",
                                      "</iframe/",
                                      "</plaintext>"};
  static const std::string runs[] = {"\"", "'", "z", "<a <", " ", "<", "&"};
  std::string page;
  while (page.size() < bytes) {
    if (with_runs && random() % 200 == 0) {
      const std::string& unit = runs[random() % std::size(runs)];
      for (std::uint64_t times = (random() % 2 == 0 ? 16370 : 20) + random() % 30; times > 0; --times)
        page += unit;
    }
    page += parts[random() % std::size(parts)];
  }
  return page;
}

}  // namespace duomap::test
