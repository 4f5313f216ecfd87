// Makes a file in memory for code that writes to a descriptor.
#pragma once

#include "core/file_descriptor.hpp"
#include "core/output/byte_sink.hpp"
#include "tests/catch.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace duomap::test {

/// The bytes that `write` writes to a sink.
template <class Write>
[[nodiscard]] std::string written(Write&& write) {
  const file_descriptor file(::memfd_create("duomap-test", MFD_CLOEXEC));
  if (!file) throw std::runtime_error("no memory file");
  byte_sink sink(file.get(), "memory");
  write(sink);
  sink.flush();
  std::string all(sink.bytes_written(), '\0');
  if (::pread(file.get(), all.data(), all.size(), 0) != static_cast<ssize_t>(all.size()))
    throw std::runtime_error("a memory file cannot be read");
  return all;
}

}  // namespace duomap::test
