// Calls the text functions on a GPU.
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/stream.cuh"
#include "tests/support/text_cases.hpp"

namespace duomap::test {
namespace {

__global__ void answer_cases(const char* buffer, const text_case* cases, std::uint64_t count,
                             text_answers* texts, number_answers* numbers) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const byte_view a(buffer + cases[i].a, cases[i].a_size);
  const byte_view b(buffer + cases[i].b, cases[i].b_size);
  texts[i] = answer(a, b, cases[i].from);
  numbers[i] = read_numbers(a);
}

template <class T>
gpu::device_buffer on_device(const T* data, std::uint64_t count, const gpu::stream& on) {
  gpu::device_buffer copy(count * sizeof(T), on);
  gpu::check(cudaMemcpyAsync(copy.as<void>(), data, count * sizeof(T), cudaMemcpyHostToDevice, on.get()),
             "copying test cases");
  return copy;
}

template <class T>
void to_host(std::vector<T>& to, const gpu::device_buffer& from, const gpu::stream& on) {
  gpu::check(cudaMemcpyAsync(to.data(), from.as<void>(), from.size(), cudaMemcpyDeviceToHost, on.get()),
             "copying answers");
  on.wait();
}

}  // namespace

device_answers answers_on_gpu(const std::string& buffer, const std::vector<text_case>& cases) {
  const gpu::stream on;
  const gpu::device_buffer bytes = on_device(buffer.data(), buffer.size(), on);
  const gpu::device_buffer asked = on_device(cases.data(), cases.size(), on);
  const gpu::device_buffer texts(cases.size() * sizeof(text_answers), on);
  const gpu::device_buffer numbers(cases.size() * sizeof(number_answers), on);
  gpu::launch(answer_cases, {static_cast<unsigned>((cases.size() + 255) / 256), 256, 0, on.get()},
              bytes.as<char>(), asked.as<text_case>(), cases.size(), texts.as<text_answers>(),
              numbers.as<number_answers>());
  device_answers all{std::vector<text_answers>(cases.size()), std::vector<number_answers>(cases.size())};
  to_host(all.texts, texts, on);
  to_host(all.numbers, numbers, on);
  return all;
}

}  // namespace duomap::test
