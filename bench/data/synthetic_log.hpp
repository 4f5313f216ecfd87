// Makes web server logs for benchmarks.
// host only
#pragma once

#include <cstdint>
#include <string>

namespace duomap::apps {

/// At least `bytes` bytes of lines in combined format. Each line shows one of `visits` pairs of page and
/// client, drawn uniformly; a page has about ten clients. The same seed gives the same log.
[[nodiscard]] std::string synthetic_log(std::uint64_t bytes, std::uint64_t visits, std::uint64_t seed);

}  // namespace duomap::apps
