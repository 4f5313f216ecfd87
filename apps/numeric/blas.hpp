// How the CPU's workers share OpenBLAS: each calls it for its own chunk.
// host only
#pragma once

namespace duomap {

/// Makes OpenBLAS do each call on the thread that makes it, from now on in the whole process: its own threads
/// would compete with the workers, which are as many as there are cores. Cheap after the first call; any
/// thread may call it.
void keep_blas_on_calling_thread();

}  // namespace duomap
