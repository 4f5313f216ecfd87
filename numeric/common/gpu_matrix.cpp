// Checks that jobs over matrices in a GPU's memory run on this GPU.
#include "numeric/common/gpu_matrix.hpp"

#include "core/error.hpp"
#include "numeric/common/finite.hpp"

#include <algorithm>

namespace duomap {

void require_device_of_matrix(device_choice device, std::span<const int> gpus, int gpu,
                              const std::string& name) {
  const std::string number = std::to_string(gpu);
  if (device == device_choice::cpu || device == device_choice::cpu_gpu)
    throw usage_error("the CPU does not read " + name + " in the memory of gpu " + number +
                      "; choose device gpu or auto, or copy it to host memory");
  if (!gpus.empty() && !std::ranges::all_of(gpus, [&](int one) { return one == gpu; }))
    throw usage_error(name + " lies in the memory of gpu " + number +
                      ", and other GPUs were chosen; name gpu " + number +
                      " alone, or copy it to host memory");
}

run_options on_its_gpu(run_options options, int gpu, const std::string& name) {
  require_device_of_matrix(options.device, options.gpus, gpu, name);
  options.device = device_choice::gpu;
  options.gpus = {gpu};
  return options;
}

void require_one_gpu(int first, const std::string& first_lies, int second, const std::string& second_name) {
  if (first != second)
    throw usage_error(first_lies + " in the memory of gpu " + std::to_string(first) + ", " + second_name +
                      " in that of gpu " + std::to_string(second) + "; both need the same");
}

#if DUOMAP_HAS_CUDA
template <class T>
void require_finite(gpu_matrix<T> values, const std::string& name, worker_pool& /*pool*/) {
  const std::uint64_t row = first_row_not_finite(values);
  if (row == values.rows) return;
  const std::uint64_t wanted[] = {row};
  const std::vector<T> copy = rows_at(values, wanted);
  throw_not_finite<T>(copy, row, name);
}

template void require_finite(gpu_matrix<float>, const std::string&, worker_pool&);
template void require_finite(gpu_matrix<double>, const std::string&, worker_pool&);
#endif

}  // namespace duomap
