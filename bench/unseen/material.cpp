// Draws a block of numbers or text and repeats it in a file.
#include "bench/unseen/material.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

namespace duomap::apps::unseen {
namespace {

constexpr std::uint64_t block_bytes = 4'000'000;

std::string synthetic(content of, std::mt19937& random) {
  std::string text;
  const auto uniform = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };
  while (text.size() < block_bytes) {
    switch (of) {
      case content::numbers:
      case content::indices: {
        const auto number = static_cast<std::uint32_t>(random());
        text.append(reinterpret_cast<const char*>(&number), sizeof number);
        break;
      }
      case content::words:
        for (int i = 0; i < 8; ++i) {
          // Ranks by Zipf's law: the exponential of a uniform number.
          const double rank = std::exp(std::log(30'000.0) * uniform(1 << 20) / double(1 << 20));
          text += i > 0 ? " w" : "w";
          text += std::to_string(static_cast<std::uint64_t>(rank) * 7919 % 1'000'003);
        }
        text += '\n';
        break;
      case content::readings:
        text += std::to_string(uniform(5000)) + ',';
        text += std::to_string(static_cast<int>(uniform(60)) - 20) + '.' + std::to_string(uniform(10)) +
                std::to_string(uniform(10)) + '\n';
        break;
    }
  }
  return text;
}

}  // namespace

std::string make_file(const temporary_folder& in, content of, std::uint64_t bytes) {
  if (of == content::indices) return {};
  std::mt19937 random(static_cast<std::uint32_t>(of) + 1);
  const std::string block = synthetic(of, random);
  const std::string path =
      in.path() + "/" + std::to_string(static_cast<int>(of)) + "-" + std::to_string(bytes);
  std::ofstream file(path, std::ios::binary);
  std::uint64_t left = bytes;
  while (left > 0 && file) {
    // Writes whole blocks, so that only the last line can be cut.
    const std::uint64_t part = std::min<std::uint64_t>(left, block.size());
    file.write(block.data(), static_cast<std::streamsize>(part));
    left -= part;
  }
  file.flush();
  if (!file) throw output_error("cannot write " + path + "; set TMPDIR to a folder with more room");
  return path;
}

}  // namespace duomap::apps::unseen
