#include "gpu/runtime/check.cuh"
#include "gpu/sort/to_host.cuh"

#include <algorithm>
#include <cstring>

namespace duomap::gpu {

void to_host::copy(void* to, const void* from, std::uint64_t bytes, const stream& on) {
  const auto queue = [&](void* where, std::uint64_t at, std::uint64_t size) {
    check(cudaMemcpyAsync(where, static_cast<const char*>(from) + at, size, cudaMemcpyDeviceToHost, on.get()),
          "copying results from the device");
  };
  if (bytes < buffer_bytes) {
    queue(to, 0, bytes);
    on.wait();
    return;
  }
  const auto size_at = [&](std::uint64_t at) {
    return std::min(buffer_bytes, bytes - at);
  };
  for (std::uint64_t at = 0, part = 0; at < bytes + buffer_bytes; at += buffer_bytes, ++part) {
    auto& filling = buffers_[part % 2];
    if (!filling) filling = std::make_unique<pinned_buffer>(buffer_bytes);
    if (at < bytes) queue(filling->as<void>(), at, size_at(at));
    if (at > 0) {
      const std::uint64_t last = at - buffer_bytes;
      std::memcpy(static_cast<char*>(to) + last, buffers_[(part + 1) % 2]->as<void>(), size_at(last));
    }
    // The stream and not an event, on which a thread sleeps: waking up takes longer than 4 MB over the link.
    on.wait();
  }
}

}  // namespace duomap::gpu
