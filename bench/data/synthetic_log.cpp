// Draws pairs of page and client and writes a log line for each.
#include "bench/data/synthetic_log.hpp"

#include <random>

namespace duomap::apps {

std::string synthetic_log(std::uint64_t bytes, std::uint64_t visits, std::uint64_t seed) {
  constexpr std::uint64_t clients_of_page = 10, longest_line = 192;
  const std::uint64_t pages = (visits + clients_of_page - 1) / clients_of_page;
  std::mt19937_64 random(seed);
  std::string log;
  log.reserve(bytes + longest_line);
  while (log.size() < bytes) {
    const std::uint64_t one = random() % visits;
    const std::uint64_t page = one % pages;
    const std::uint64_t client = one / pages;
    // The clients of a page differ in the last byte of their address.
    log += "10." + std::to_string(page >> 16 & 0xFF) + "." + std::to_string(page >> 8 & 0xFF) + "." +
           std::to_string(client);
    log += " - - [21/Nov/2026:10:00:00 +0000] \"GET /section-" + std::to_string(page % 16) + "/page-" +
           std::to_string(page) + ".html HTTP/1.1\" 200 5120 \"-\" \"Browser/" + std::to_string(client % 4) +
           ".0\"\n";
  }
  return log;
}

}  // namespace duomap::apps
