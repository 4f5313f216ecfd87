// Tests the normal form of pages, clients and agents, by which logs are compared.
#include "apps/tasks/weblog/normal_form.hpp"

#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <string>
#include <utility>
#include <vector>

namespace duomap::test::apps_tasks_weblog_normal_form_test {
namespace {

using namespace apps;

template <class Write>
std::string written(const Write& write) {
  std::string text(1000, '\0');
  key_writer to(text.data(), text.size());
  write(to);
  REQUIRE(to.fits());
  return std::string(to.written().text());
}

std::string page_of(const std::string& url, bool escaped = true) {
  const guarded_bytes bytes(url);
  return written([&](key_writer& to) { write_page(bytes.view(), escaped, to); });
}

std::string client_of(const std::string& word) {
  const guarded_bytes bytes(word);
  const log_client one = client_in(bytes.view());
  REQUIRE(one.form != client_form::none);
  return written([&](key_writer& to) { write_client(one, to); });
}

}  // namespace

TEST_CASE("normal form: pages", "[weblog]") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"/a", "/a"},
      {"/%7euser/%2f%2F", "/~user/%2F%2F"},
      {"/100%/%zz%4", "/100%/%zz%4"},
      {"/a/./b/../c", "/a/c"},
      {"/%2e%2E/a/%2e", "/a/"},
      {"/../..", "/"},
      {"/a//../b", "/a/b"},
      {"/.well-known/...", "/.well-known/..."},
      {"/x?y=/../%7e&z=%2f", "/x?y=/../~&z=%2F"},
      {"/Case?Case", "/Case?Case"},
      {R"(/\x22q\"b\\\n)", "/\"q\"b\\%0A"},
      {"/caf\xc3\xa9", "/caf\xc3\xa9"},
      {R"(/caf\xc3\xA9)", "/caf\xc3\xa9"},
      {"HTTP://U@Example.COM:80", "http://U@example.com/"},
      {"https://h:443/../a?b", "https://h/a?b"},
      {"http://[2001:DB8::1]:8080", "http://[2001:db8::1]:8080/"},
      {"http://h:?x", "http://h/?x"},
      {"*", "*"},
      {"?q=%41", "?q=A"},
  };
  for (const auto& [url, page] : cases) {
    CAPTURE(url);
    CHECK(page_of(url) == page);
  }
  CHECK(page_of(R"(/a\x41\")", false) == R"(/a\x41\")");
}

TEST_CASE("normal form: of a page that does not fit nothing is taken", "[weblog]") {
  for (const std::string url : {"/abcdefgh", "/abc/../defghi", "/%41%42%43%44", "http://host/abc"}) {
    const std::string whole = page_of(url);
    for (std::size_t most = 0; most < url.size() + 1; ++most) {
      CAPTURE(url, most);
      std::string room(most, '\0');
      key_writer to(room.data(), most);
      write_page(byte_view(url), true, to);
      if (most < whole.size()) CHECK_FALSE(to.fits());
      if (to.fits()) CHECK(to.written().text() == whole);
    }
  }
}

TEST_CASE("normal form: clients", "[weblog]") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"192.0.2.1", "192.0.2.1"},
      {"192.0.2.1:41342", "192.0.2.1"},
      {"::ffff:192.0.2.1", "192.0.2.1"},
      {"[::FFFF:c000:0201]:80", "192.0.2.1"},
      {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
      {"[2001:db8::1]:443", "2001:db8::1"},
      {"2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"},
      {"1:2:3:0:5:6:7:8", "1:2:3:0:5:6:7:8"},
      {"::", "::"},
      {"fe80::1%Eth0", "fe80::1%Eth0"},
      {"WWW.Example.COM.", "www.example.com"},
      {"h:80", "h"},
      {"unix:", "unix:"},
      {"10.1.2.3-dsl.example", "10.1.2.3-dsl.example"},
  };
  for (const auto& [word, client] : cases) {
    CAPTURE(word);
    CHECK(client_of(word) == client);
  }
  for (const char* const word :
       {"",        "-",   "10",       "192.0.2", "192.0.2.256", "192.0.2.1:", "192.0.2.1:123456",
        "1::2::3", ":::", "1:2",      "[::1]80", "::1%",        "a..b",       ".a",
        "-a",      "a b", "13:55:31", "nginx:",  "a/b",         "\xc3\xa9"}) {
    CAPTURE(word);
    CHECK(client_in(byte_view(word)).form == client_form::none);
  }
}

}  // namespace duomap::test::apps_tasks_weblog_normal_form_test
