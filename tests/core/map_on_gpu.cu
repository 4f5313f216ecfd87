// Maps chunks on a GPU with the host's map, record format and hash, as every engine does.
#include "core/compact_key.hpp"
#include "gpu/runtime/launch.cuh"
#include "tests/core/map_on_gpu.hpp"

namespace duomap::tests {
namespace {

/// Counts emits and adds up a checksum of their keys and values. The order of the emits does not matter.
struct checking_emitter {
  emit_checksum sum;
  DUOMAP_HD void operator()(byte_view key, std::uint64_t value) {
    ++sum.emits;
    sum.keys += (key.size < 8 ? compact_key::of_short(key).hash() : hash_long(key)) * (2 * value + 1);
  }
};

DUOMAP_HD emit_checksum checksum_of_chunk(const apps::wordcount& task, const chunk& part) {
  checking_emitter emit;
  words{}.for_each_record(part, [&](byte_view word) { task.map(word, emit); });
  return emit.sum;
}

__global__ void checksum_chunks(apps::wordcount task, const chunk* chunks, std::uint64_t count,
                                emit_checksum* sums) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) sums[i] = checksum_of_chunk(task, chunks[i]);
}

/// A device array of `n` values of type T.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t n) : bytes_(n * sizeof(T)) {
    gpu::check(cudaMalloc(&data_, bytes_), "allocating test data");
    // Fills the array with 0xA5, so that a value which a kernel forgets to write is not taken for an answer.
    gpu::check(cudaMemset(data_, 0xA5, bytes_), "poisoning test data");
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }
  void upload(const T* from) {
    gpu::check(cudaMemcpy(data_, from, bytes_, cudaMemcpyHostToDevice), "copying test data to the device");
  }
  void download(T* to) const {
    gpu::check(cudaMemcpy(to, data_, bytes_, cudaMemcpyDeviceToHost), "copying test data from the device");
  }
  [[nodiscard]] T* get() const { return static_cast<T*>(data_); }

 private:
  std::size_t bytes_;
  void* data_ = nullptr;
};

}  // namespace

emit_checksum checksum_on_host(const apps::wordcount& task, const chunk& part) {
  return checksum_of_chunk(task, part);
}

std::vector<emit_checksum> checksums_on_device(const apps::wordcount& task, const std::string& text,
                                               std::vector<chunk> chunks) {
  device_array<char> bytes(text.size() + read_padding);
  gpu::check(cudaMemcpy(bytes.get(), text.data(), text.size(), cudaMemcpyHostToDevice), "copying the text");
  for (chunk& part : chunks) part.data = bytes.get() + part.offset;
  device_array<chunk> parts(chunks.size());
  parts.upload(chunks.data());
  device_array<emit_checksum> sums(chunks.size());
  constexpr unsigned threads = 128;
  const auto blocks = static_cast<unsigned>((chunks.size() + threads - 1) / threads);
  gpu::launch(checksum_chunks, {blocks, threads, 0, nullptr}, task, parts.get(), chunks.size(), sums.get());
  gpu::check(cudaDeviceSynchronize(), "mapping on the device");
  std::vector<emit_checksum> answer(chunks.size());
  sums.download(answer.data());
  return answer;
}

}  // namespace duomap::tests
