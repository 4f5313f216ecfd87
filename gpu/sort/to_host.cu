#include "gpu/sort/to_host.cuh"

#include "gpu/runtime/check.cuh"

#include <algorithm>
#include <cstring>

namespace duomap::gpu {

void to_host::copy(void* to, const void* from, std::uint64_t bytes, const stream& on) {
  if (bytes < buffer_bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, on.get()), "copying results from the device");
    on.wait();
    return;
  }
  if (!buffers_) buffers_ = std::make_unique<std::array<buffer, 2>>();
  const std::uint64_t parts = (bytes + buffer_bytes - 1) / buffer_bytes;
  const auto size_of = [&](std::uint64_t part) {
    return std::min(buffer_bytes, bytes - part * buffer_bytes);
  };
  for (std::uint64_t part = 0; part <= parts; ++part) {
    if (part < parts) {
      buffer& next = (*buffers_)[part % 2];
      check(cudaMemcpyAsync(next.memory.as<void>(), static_cast<const char*>(from) + part * buffer_bytes,
                            size_of(part), cudaMemcpyDeviceToHost, on.get()),
            "copying results from the device");
      next.filled.record(on);
    }
    if (part > 0) {
      buffer& last = (*buffers_)[(part - 1) % 2];
      last.filled.wait();
      std::memcpy(static_cast<char*>(to) + (part - 1) * buffer_bytes, last.memory.as<void>(),
                  size_of(part - 1));
    }
  }
}

}  // namespace duomap::gpu
