// Tests log formats: the parts of a line in each format, how a log's format is recognised, and descriptions
// of formats.
#include "apps/tasks/weblog/log_format.hpp"

#include "apps/tasks/weblog/log_recognition.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/support/guarded_bytes.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::apps_tasks_weblog_log_format_test {
namespace {

using namespace apps;

struct sample {
  const char* format;  // the format's name or description
  const char* header;  // lines before `line`, by which the format is recognised
  const char* line;
  const char* client;
  const char* method;
  const char* url;
  unsigned status;
  const char* agent;
};

// Lines from the servers' own documentation, with addresses reserved for documentation.
const std::vector<sample> samples = {
    {"combined", "", R"~(192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a?b HTTP/1.1" 200 5)~", "192.0.2.1",
     "GET", "/a?b", 200, ""},
    {"combined", "", R"~(192.0.2.1 - f r [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 5 "-" "M (X)")~",
     "192.0.2.1", "GET", "/a", 200, "M (X)"},
    {"vhost_combined", "",
     R"~(example.org:80 192.0.2.1 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 404 5 "-" "M (\"X\")")~",
     "192.0.2.1", "GET", "/a", 404, R"~(M (\"X\"))~"},
    {"vhost_combined", "", R"~(example.org 2001:db8::1 - f r [t] "GET /a HTTP/2" 200 5 "-" "M" more)~",
     "2001:db8::1", "GET", "/a", 200, "M"},
    {"w3c",
     "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2020-01-02 03:04:05\n"
     "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) "
     "cs(Referer) sc-status sc-substatus sc-win32-status time-taken\n",
     "2020-01-02 03:04:05 192.0.2.9 GET /a.aspx b=c 80 - 192.0.2.1 Mozilla/5.0+(X) - 200 0 0 15", "192.0.2.1",
     "GET", "/a.aspx", 200, "Mozilla/5.0+(X)"},
    {"w3c",
     "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem "
     "sc-status "
     "cs(Referer) cs(User-Agent) cs-uri-query\n",
     "2019-12-04\t21:02:31\tLAX1\t392\t192.0.2.1\tGET\td1.cloudfront.net\t/index.html\t200\t-\tM/5%20(X)\t-",
     "192.0.2.1", "GET", "/index.html", 200, "M/5%20(X)"},
    {"alb", "",
     R"~(https 2018-07-02T22:23:00.186641Z app/lb/50dc6c 192.0.2.1:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 "GET https://www.example.com:443/a HTTP/1.1" "curl/7.46.0" ECDHE TLSv1.2 arn:aws:x "Root=1" "a b")~",
     "192.0.2.1", "GET", "https://www.example.com:443/a", 200, "curl/7.46.0"},
    {"alb", "",
     R"~(h2 2018-07-02T22:23:00.186641Z app/lb/50dc6c [2001:db8::1]:2817 - -1 -1 -1 - - 34 366 "GET https://x:443/ HTTP/2.0" "-" - - - "-" "-")~",
     "2001:db8::1", "GET", "https://x:443/", 0, "-"},
    {"json", "",
     R"~({"time_local":"10/Oct/2000:13:55:36 -0700","remote_addr":"192.0.2.1","request":"GET /a?b HTTP/1.1","status":"200","http_user_agent":"M (\"X\")"})~",
     "192.0.2.1", "GET", "/a?b", 200, R"~(M ("X"))~"},
    {"json", "",
     R"~({"status": 301, "request_method": "POST", "request_uri": "/b", "uri": "/index", "remote_addr": "192.0.2.1"})~",
     "192.0.2.1", "POST", "/b", 301, ""},
    {"json", "",
     R"~({"level":"info","ts":1646861401.5,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.7","remote_port":"41342","client_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"localhost","uri":"/a","headers":{"User-Agent":["curl/7.82.0"],"Accept":["*/*"]},"tls":{"resumed":false}},"bytes_read":0,"user_id":"","duration":0.1,"size":2,"status":200,"resp_headers":{"Server":["Caddy"]}})~",
     "192.0.2.1", "GET", "/a", 200, "curl/7.82.0"},
    {"json", "",
     R"~({"upstream":[{"status":"502","uri":"/no"},{"status":3}],"why":{"request":"POST /no HTTP/1.1"},"status": "200","request":"GET /a HTTP/1.1","remote_addr":"192.0.2.1","more":{"remote_addr":"-","status":"x"}})~",
     "192.0.2.1", "GET", "/a", 200, ""},
    {"json", "",
     R"~({"http":{"request":"GET /a HTTP/1.1","status":200,"method":"PUT"},"remote_addr":"192.0.2.1"})~",
     "192.0.2.1", "PUT", "/a", 200, ""},
    {"json", "", R"~({"remote_addr":"[2001:db8::1]:80","request":"GET \/a HTTP\/1.1","status":200})~",
     "2001:db8::1", "GET", "/a", 200, ""},
    {"json", "",
     R"~({"remote_addr":"192.0.2.1","request":"GET \u002fa\ud83d\ude00\ud83d HTTP/1.1","status":200})~",
     "192.0.2.1", "GET", "/a\xF0\x9F\x98\x80\xEF\xBF\xBD", 200, ""},
    {"vhost_combined", "", R"~(www.example.com 192.0.2.1 - - [t] "GET /a HTTP/1.1" 200 5)~", "192.0.2.1",
     "GET", "/a", 200, ""},
    {"lighttpd", "", R"~(192.0.2.1 www.example.com - [t] "GET /a HTTP/1.1" 200 5 "-" "M")~", "192.0.2.1",
     "GET", "/a", 200, "M"},
    {"%h %r %>s", nullptr, "192.0.2.1 GET /a b HTTP/1.1 200", "192.0.2.1", "GET", "/a b", 200, ""},
    {"%h %r %>s", nullptr, "192.0.2.1 GET /a 200", "192.0.2.1", "GET", "/a", 200, ""},
    {"%h %r %>s", nullptr, "192.0.2.1 - 408", "192.0.2.1", "", "", 408, ""},
    {"%r;%h", nullptr, "GET /a;1 HTTP/1.0;192.0.2.1", "192.0.2.1", "GET", "/a;1", 0, ""},
    {"%h %m %U%q %H %>s", nullptr, "192.0.2.1 GET /a b?c HTTP/1.1 200", "192.0.2.1", "GET", "/a b?c", 200,
     ""},
    {"%h %m %U%q %H %>s", nullptr, "192.0.2.1 - - - 408", "192.0.2.1", "", "", 408, ""},
    {R"~(%h "%m %U%q %H" %>s)~", nullptr, R"~(192.0.2.1 "GET /a HTTP/2.0" 200)~", "192.0.2.1", "GET", "/a",
     200, ""},
    {R"~("%{X-Forwarded-For}i" %r)~", nullptr, R"~("192.0.2.1" GET /a)~", "192.0.2.1", "GET", "/a", 0, ""},
    {R"~(%{X-Forwarded-For}i|%h|%m|%U|%>s|%{User-Agent}i)~", nullptr, "203.0.113.9|192.0.2.1|GET|/a b|200|M",
     "192.0.2.1", "GET", "/a b", 200, "M"},
    {R"~(%v:%p %a [%{%d/%b}t] \"%r\" %s %{ms}T)~", nullptr,
     R"~([2001:db8::2]:443 192.0.2.1 [10/Oct] "HEAD /a" 200 12)~", "192.0.2.1", "HEAD", "/a", 200, ""},
    {"#Fields: c-ip cs-uri sc-status", nullptr, "192.0.2.1 http://x/a 200", "192.0.2.1", "", "http://x/a",
     200, ""},
};

log_format format_of(const sample& one) {
  if (const auto named = log_format_called(one.format)) return *named;
  return recognise_log(byte_view(std::string(one.header) + one.line)).format.value();
}

}  // namespace

TEST_CASE("log formats: a line of each", "[weblog]") {
  for (const sample& one : samples) {
    CAPTURE(one.format, one.line);
    const log_format format = format_of(one);
    for (const char* const end : {"", "\r"}) {
      const guarded_bytes bytes(std::string(one.line) + end);
      log_entry entry;
      REQUIRE(format(bytes.view(), entry) == log_line_kind::entry);
      CHECK(entry.client.text.text() == one.client);
      CHECK(entry.method.text() == one.method);
      CHECK(entry.url.text() == one.url);
      CHECK(entry.status == one.status);
      CHECK(entry.agent.text() == one.agent);
    }
  }
}

TEST_CASE("log formats: each is recognised by its lines", "[weblog]") {
  for (const sample& one : samples) {
    if (one.header == nullptr) continue;
    CAPTURE(one.format, one.line);
    const std::string line = std::string(one.line) + "\n";
    const auto format = recognise_log(byte_view(one.header + line + "rubbish\n" + line)).format;
    REQUIRE(format);
    CHECK(std::string_view(format->name) == one.format);
  }
  CHECK_FALSE(recognise_log(byte_view("rubbish\nmore of it\n")).format);
  CHECK_FALSE(recognise_log(byte_view("")).format);
  // Users with blanks and clients with colons do not make the first word a virtual host.
  const std::string users = "2001:db8::1 - f r [t] \"GET / HTTP/1.0\" 200 1 \"-\" \"-\"\n";
  CHECK(std::string_view(recognise_log(byte_view(users)).format->name) == "combined");
}

TEST_CASE("log formats: what stands before each line is left out", "[weblog]") {
  const std::string line = R"~(pc7 - - [t] "GET /a HTTP/1.1" 200 5 "-" "M")~";
  const std::pair<const char*, const char*> cases[] = {
      {"Oct 10 13:55:31 web nginx: ", "syslog"},
      {"<190>Oct  1 13:55:31 nginx: ", "syslog"},
      {"Oct 10 13:55:31.123 2001:db8::1 nginx[12]: ", "syslog"},
      {"2020-10-10T13:55:31+0000 web nginx[12]: ", "syslog"},
      {"1602338131.123456 web nginx[1]: ", "syslog"},
      {"[ 1234.567890] web nginx[1]: ", "syslog"},
      {"Sat 2020-10-10 13:55:31 UTC web nginx[1]: ", "syslog"},
      {R"~(<165>1 2003-10-11T22:14:15.003Z h nginx 1 - [a@1 b="c\"]"] )~", "syslog of RFC 5424"},
      {"<165>1 - - nginx - - - \xEF\xBB\xBF", "syslog of RFC 5424"},
      {"2020-10-10T13:55:31.123456789Z stdout F ", "container runtime"},
      {"2020-10-10T13:55:31.123456789Z ", "time"},
      {"web-1  | ", "container name"},
      {"web-1  | 2020-10-10T13:55:31Z ", "container name, time"},
      {"[pod/nginx-abc/nginx] ", "pod name"},
  };
  for (const auto& [prefix, name] : cases) {
    CAPTURE(prefix);
    const std::string whole = prefix + line;
    const log_recognition found = recognise_log(byte_view(whole));
    REQUIRE(found.format);
    CHECK(text_of(*found.format) == "combined behind " + std::string(name));
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      const guarded_bytes bytes(whole.substr(0, size));
      log_entry entry;
      const log_line_kind kind = (*found.format)(bytes.view(), entry);
      if (size == whole.size()) REQUIRE(kind == log_line_kind::entry);
      if (kind == log_line_kind::entry) CHECK(entry.client.text.text() == "pc7");
    }
  }
  const std::string wrapped = R"~({"log":"pc7 - - [t] \"GET /\u0061 HTTP/1.1\" 200 5\n","stream":"stdout"})~";
  const log_recognition found = recognise_log(byte_view(wrapped));
  REQUIRE(found.format);
  CHECK(text_of(*found.format) == "combined behind JSON text");
  log_entry entry;
  REQUIRE((*found.format)(byte_view(wrapped), entry) == log_line_kind::entry);
  CHECK(entry.url.text() == "/a");
}

TEST_CASE("log formats: two that fit and read lines differently are a conflict", "[weblog]") {
  const std::string rest = " [t] \"GET /a HTTP/1.1\" 200 5\n";
  const std::string combined = "192.0.2.1 - -" + rest;
  const std::string vhost = "a.example 192.0.2.1 - -" + rest;
  const auto conflict_of = [](const std::string& log) {
    return recognise_log(byte_view(log)).conflict;
  };
  // The client may be the first or the second word.
  CHECK_THAT(conflict_of("web1 pc7 ident frank" + rest),
             contains("combined and vhost_combined") && contains("'web1' or 'pc7'"));
  CHECK_THAT(conflict_of(combined + vhost), contains("combined and vhost_combined (1 and 1 of 2 lines)"));
  CHECK_THAT(conflict_of(combined + "Oct 10 13:55:31 web nginx: " + combined),
             contains("combined and combined behind syslog"));
  // A few lines of another format count as malformed.
  std::string log;
  for (int i = 0; i < 40; ++i) log += combined;
  CHECK(conflict_of(log + vhost).empty());
  CHECK_FALSE(conflict_of(log + vhost + vhost + vhost).empty());
  // Each line has an address in the place of the virtual host.
  CHECK_FALSE(recognise_log(byte_view("192.0.2.1 a.example - -" + rest)).format);
  CHECK_FALSE(recognise_log(byte_view("192.0.2.1 198.51.100.1 -" + rest)).format);
}

TEST_CASE("log formats: a line cut anywhere is not taken for another entry", "[weblog]") {
  for (const sample& one : samples) {
    const log_format format = format_of(one);
    const std::string line = one.line;
    for (std::size_t size = 1; size < line.size(); ++size) {
      CAPTURE(one.format, size);
      const guarded_bytes bytes(line.substr(0, size));
      log_entry entry;
      if (format(bytes.view(), entry) != log_line_kind::entry) continue;
      CHECK(entry.client.text.text() == one.client);
      CHECK(std::string_view(one.url).starts_with(entry.url.text()));
    }
  }
}

TEST_CASE("log formats: descriptions that cannot be used are refused", "[weblog]") {
  const std::pair<const char*, const char*> cases[] = {
      {"nginx", "there is no log format 'nginx'; give one of common"},
      {"%h %l", "it has no field with the request or its URL"},
      {"%h%r", "nothing stands between two of its fields"},
      {"%r %U", "it has both the request and its URL"},
      {"%h \"%r\" %", "it ends within a directive"},
      {"#Fields: date c-ip", "it has no field with the request or its URL"},
  };
  for (const auto& [text, problem] : cases) {
    CAPTURE(text);
    CHECK_THROWS_AS(log_format_called(text), usage_error);
    CHECK_THROWS_WITH(log_format_called(text), contains(problem));
  }
  std::string many = "%r";
  for (int i = 0; i < 70; ++i) many += " %l";
  CHECK_THROWS_WITH(log_format_called(many), contains("more than 64 fields"));
  CHECK_THROWS_WITH(log_format_called("%r" + std::string(300, 'x')), contains("it is too long"));
}

TEST_CASE("log formats: a later line #Fields: may not name other fields", "[weblog]") {
  const std::string first = "#Fields: date c-ip cs-method cs-uri-stem sc-status";
  const auto format = recognise_log(byte_view(first + "\n2020-01-02 192.0.2.1 GET /a 200\n")).format;
  REQUIRE(format);
  log_entry entry;
  const std::vector<std::string> no_others{
      first, first + "\r", "#Fields:  date c-ip cs-method cs-uri-stem\tsc-status ", "#Date: 2020-01-02"};
  for (const std::string& same : no_others) {
    CAPTURE(same);
    CHECK((*format)(byte_view(same), entry) == log_line_kind::blank);
  }
  for (const char* const other : {"#Fields: date cs-method cs-uri-stem sc-status c-ip", "#Fields: date",
                                  "#Fields:", "#Fields: date s-ip cs-method cs-uri-stem sc-status c-ip"}) {
    CAPTURE(other);
    CHECK_THROWS_WITH((*format)(byte_view(other), entry), contains("names other fields than the first one"));
  }
  // With a format that the user has described, other field lines are no error.
  CHECK((*log_format_called(first))(byte_view("#Fields: date"), entry) == log_line_kind::blank);
}

}  // namespace duomap::test::apps_tasks_weblog_log_format_test
