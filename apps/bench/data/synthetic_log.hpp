// Web server logs for benchmarks.
// host only
#pragma once

#include <cstdint>
#include <string>

namespace duomap::apps {

/// Lines in common format, at least `bytes` bytes, in which `visits` different pairs of page and client
/// occur, drawn uniformly; about ten clients a page. Same seed, same log.
[[nodiscard]] std::string synthetic_log(std::uint64_t bytes, std::uint64_t visits, std::uint64_t seed);

}  // namespace duomap::apps
