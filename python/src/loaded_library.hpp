// Loads a shared library from an open file, even if another file has replaced it at its path.
#pragma once

#include "core/file_descriptor.hpp"

namespace duomap::python {

/// Loads the library for good, and returns the address of a symbol; null when the library lacks the symbol.
/// @throws input_error when the library cannot be loaded
[[nodiscard]] void* symbol_of_library(file_descriptor library, const char* symbol);

}  // namespace duomap::python
