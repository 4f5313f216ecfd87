// Tests the parser of log lines, with lines of both formats and lines that almost fit.
#include "apps/tasks/weblog/log_line.hpp"

#include "tests/catch.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::test::apps_tasks_weblog_log_line_test {
namespace {

using apps::log_entry;
using apps::log_line_kind;

/// Parses a line with unreadable memory behind it.
log_line_kind kind_of(const std::string& line) {
  const guarded_bytes bytes(line);
  log_entry entry;
  return apps::parse_log_line(bytes.view(), entry);
}

/// An entry with a given request.
std::string with_request(const std::string& request) {
  return "host - - [10/Oct/2000:13:55:36 -0700] \"" + request + "\" 200 2326";
}

struct request_parts {
  std::string method, url, protocol;
  friend bool operator==(const request_parts&, const request_parts&) = default;
};

request_parts parts_of(const std::string& request) {
  const std::string line = with_request(request);
  log_entry entry;
  REQUIRE(apps::parse_log_line(line, entry) == log_line_kind::entry);
  return {std::string(entry.method.text()), std::string(entry.url.text()),
          std::string(entry.protocol.text())};
}

}  // namespace

TEST_CASE("log line: common format", "[weblog]") {
  const std::string line =
      R"(127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /apache_pb.gif HTTP/1.0" 200 2326)";
  for (const char* const end : {"", "\r"}) {
    const guarded_bytes bytes(line + end);
    log_entry entry;
    REQUIRE(apps::parse_log_line(bytes.view(), entry) == log_line_kind::entry);
    CHECK(entry.client.text.text() == "127.0.0.1");
    CHECK(entry.time.text() == "10/Oct/2000:13:55:36 -0700");
    CHECK(entry.method.text() == "GET");
    CHECK(entry.url.text() == "/apache_pb.gif");
    CHECK(entry.protocol.text() == "HTTP/1.0");
    CHECK(entry.status == 200);
    CHECK(entry.referer.empty());
    CHECK(entry.agent.empty());
  }
}

TEST_CASE("log line: combined format, with escapes and more behind it", "[weblog]") {
  const std::string line =
      R"(2001:db8::7 id a[b] c [t] "GET /\"x\" HTTP/2" 304 - "http://a/\\" "A \"1\" \\")";
  for (const char* const end : {"", " \"more\" 17", " "}) {
    const guarded_bytes bytes(line + end);
    log_entry entry;
    REQUIRE(apps::parse_log_line(bytes.view(), entry) == log_line_kind::entry);
    CHECK(entry.client.text.text() == "2001:db8::7");
    CHECK(entry.time.text() == "t");
    CHECK(entry.url.text() == R"(/\"x\")");
    CHECK(entry.protocol.text() == "HTTP/2");
    CHECK(entry.status == 304);
    CHECK(entry.referer.text() == R"(http://a/\\)");
    CHECK(entry.agent.text() == R"(A \"1\" \\)");
  }
}

TEST_CASE("log line: requests", "[weblog]") {
  CHECK((parts_of("GET /a b HTTP/1.1") == request_parts{"GET", "/a b", "HTTP/1.1"}));
  CHECK((parts_of("GET /") == request_parts{"GET", "/", ""}));
  CHECK((parts_of("OPTIONS * HTTP/1.0") == request_parts{"OPTIONS", "*", "HTTP/1.0"}));
  CHECK((parts_of("CONNECT h:443 HTTP/1.1") == request_parts{"CONNECT", "h:443", "HTTP/1.1"}));
  CHECK((parts_of("GET http://h HTTP/1.1") == request_parts{"GET", "http://h", "HTTP/1.1"}));
  CHECK((parts_of("M-SEARCH ?a HTTP/3") == request_parts{"M-SEARCH", "?a", "HTTP/3"}));
  for (const char* const none :
       {"HTTP/x", "HTTP/1_1", "HTTP/1.x", "http/1.1", "HTTP/", "HTTPS/1.1", "HTTP/11", "RTSP/1.0"}) {
    CAPTURE(none);
    CHECK((parts_of(std::string("GET / ") + none) == request_parts{}));
  }
  // None of these is a request.
  for (const char* const request :
       {"-", "", "GET", "GET ", " /", "GET HTTP/1.1", "GET  HTTP/1.1", "GET  /", R"(\x16\x03\x01)", "- - -",
        "- / HTTP/1.1", R"(\x03\x00\x00/*\xE0\x00\x00\x00\x00\x00Cookie: mstshash=Administr)",
        "SSH-2.0-Go foo", "PRI * HTTP/2.0", "G(T / HTTP/1.1", "GET a HTTP/1.1", "USER anonymous",
        "CONNECT /: HTTP/1.1 x"}) {
    INFO(request);
    CHECK((parts_of(request) == request_parts{}));
  }
}

TEST_CASE("log line: a client looks like one, and nothing behind it does", "[weblog]") {
  const std::string rest = R"( [t] "GET /" 200 1)";
  for (const char* const line :
       {"192.0.2.1 - -", "192.0.2.1:80 - -", "::1 - -", "[::1]:80 - -", "fe80::1%eth0 - -", "h - -",
        "a.example - -", "a.example. - -", "unix: - -", "192.0.2.1 - john.doe", "192.0.2.1 id f r",
        "h - x@a.example", "a_b-c - 12"}) {
    INFO(line);
    CHECK(kind_of(line + rest) == log_line_kind::entry);
  }
  for (const char* const line :
       {"- - -", "10 - -", "300.1.1.1 - -", "192.0.2.01 - -", "1::2::3 - -", "[::1 - -", "a..b - -",
        "a/b - -", "h: - -", "www.example.com 192.0.2.1 - -", "192.0.2.1 198.51.100.9 - -",
        "192.0.2.1 www.example.com - -", "h a.example - -", "h - 192.0.2.1", "h - a.example", "h pc7 - frank",
        "192.0.2.1 - x ::1", "192.0.2.1, 198.51.100.9 - -", "a,b - -"}) {
    INFO(line);
    CHECK(kind_of(line + rest) == log_line_kind::malformed);
  }
  CHECK(kind_of(R"(192.0.2.1 - - [10/Oct192.0.2.7 - - [t] "GET /" 200 1)") == log_line_kind::malformed);
}

TEST_CASE("log line: which client of a list counts", "[weblog]") {
  const std::string line = R"(192.0.2.1, [2001:db8::1]:80,h.example - - [t] "GET /" 200 1)";
  const std::pair<int, const char*> cases[] = {{1, "192.0.2.1"}, {2, "2001:db8::1"}, {3, "h.example"},
                                               {9, "h.example"}, {-1, "h.example"},  {-3, "192.0.2.1"},
                                               {-9, "192.0.2.1"}};
  for (const auto& [which, client] : cases) {
    CAPTURE(which);
    log_entry entry;
    REQUIRE(apps::parse_log_line(byte_view(line), entry, {which}) == log_line_kind::entry);
    CHECK(entry.client.text.text() == client);
  }
  log_entry entry;
  CHECK(apps::parse_log_line(byte_view(line), entry) == log_line_kind::malformed);
  CHECK(entry.fault == apps::log_fault::client_list);
  CHECK(apps::parse_log_line(byte_view(R"(192.0.2.1, - - - [t] "GET /" 200 1)"), entry, {1}) ==
        log_line_kind::malformed);
}

TEST_CASE("log line: blank lines and malformed ones", "[weblog]") {
  CHECK(kind_of("") == log_line_kind::blank);
  CHECK(kind_of("\r") == log_line_kind::blank);
  const std::vector<std::string> malformed = {
      "\r\r",
      " ",
      "-",
      "host",
      "host ",
      "host - - ",
      R"( - - [t] "GET /" 200 1)",
      R"(host - [t] "GET /" 200 1)",
      R"(host  - [t] "GET /" 200 1)",
      R"(host -  [t] "GET /" 200 1)",
      R"(host - - [t "GET /" 200 1)",
      R"(host - - [t]"GET /" 200 1)",
      R"(host - - [t] GET / 200 1)",
      R"(host - - [t] "GET /)",
      R"(host - - [t] "GET /\" 200 1)",
      R"(host - - [t] "GET /")",
      R"(host - - [t] "GET /" 20 1)",
      R"(host - - [t] "GET /" 2000 1)",
      R"(host - - [t] "GET /" 20x 1)",
      R"(host - - [t] "GET /" 200)",
      R"(host - - [t] "GET /" 200 )",
      R"(host - - [t] "GET /" 200 1x)",
      R"(host - - [t] "GET /" 200 1 )",
      R"(host - - [t] "GET /" 200 1 "r")",
      R"(host - - [t] "GET /" 200 1 "r" "a)",
      R"(host - - [t] "GET /" 200 1 "r" "a"b)",
      R"(host - - [t] "GET /" 200 1 "r" "a\")",
  };
  for (const std::string& line : malformed) {
    INFO(line);
    CHECK(kind_of(line) == log_line_kind::malformed);
  }
}

TEST_CASE("log line: any beginning of an entry is read inside its bytes", "[weblog]") {
  const std::string line = R"(h - - [t] "GET /\\\" HTTP/1.1" 200 12 "r\"" "a\\" x)";
  std::size_t entries = 0;
  for (std::size_t size = 0; size <= line.size(); ++size)
    entries += kind_of(line.substr(0, size)) == log_line_kind::entry ? 1u : 0u;
  // Two beginnings end in the digits of the bytes (common format), three behind the agent's quote (combined).
  CHECK(entries == 2 + 3);
}

}  // namespace duomap::test::apps_tasks_weblog_log_line_test
