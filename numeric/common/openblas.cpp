// Loads OpenBLAS's library and looks up its functions.
#include "numeric/common/openblas.hpp"

#include "core/error.hpp"

#include <dlfcn.h>

#include <string_view>
#include <type_traits>

namespace duomap {
namespace {

// Whether `name`, one of OpenBLAS 0.3's names for processors (openblas_get_corename()), has kernels with
// AVX-512.
bool is_avx512_core(std::string_view name) {
  return name == "SkylakeX" || name == "Cooperlake" || name == "SapphireRapids";
}

openblas load() {
  openblas found;
  constexpr const char* name = "libopenblas.so.0";
  void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    found.problem = std::string("OpenBLAS cannot be loaded (") + ::dlerror() +
                    "); install Debian's package libopenblas0, or put its folder into LD_LIBRARY_PATH";
    return found;
  }
  const auto find = [&](auto& function, const char* symbol) {
    void* const address = ::dlsym(library, symbol);
    if (address == nullptr && found.problem.empty())
      found.problem = std::string("the OpenBLAS in ") + name + " has no function " + symbol +
                      "; install one with CBLAS and LAPACK, as Debian's package libopenblas0 is";
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
  };
  find(found.set_threads, "openblas_set_num_threads");
  find(found.sgemm, "cblas_sgemm");
  find(found.dgemm, "cblas_dgemm");
  find(found.ssyrk, "cblas_ssyrk");
  find(found.dsyevd, "dsyevd_");
  char* (*core_name)() = nullptr;
  find(core_name, "openblas_get_corename");
  if (!found.problem.empty()) return found;
  found.has_avx512 = is_avx512_core(core_name());
  found.set_threads(1);
  return found;
}

}  // namespace

const openblas& loaded_openblas() {
  static const openblas library = load();
  return library;
}

const openblas& required_openblas(const char* what) {
  const openblas& library = loaded_openblas();
  if (!library.problem.empty())
    throw error(exit_status::failed, std::string(what) + " need OpenBLAS: " + library.problem);
  return library;
}

}  // namespace duomap
