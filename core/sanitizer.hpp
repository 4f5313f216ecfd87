// Tells which sanitizer a file is compiled with. g++ has a macro for each sanitizer, clang++ a feature.
#pragma once

#if defined(__has_feature)
#define DUOMAP_HAS_FEATURE(name) __has_feature(name)
#else
#define DUOMAP_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || DUOMAP_HAS_FEATURE(address_sanitizer)
#define DUOMAP_ADDRESS_SANITIZER 1
#else
#define DUOMAP_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__) || DUOMAP_HAS_FEATURE(thread_sanitizer)
#define DUOMAP_THREAD_SANITIZER 1
#else
#define DUOMAP_THREAD_SANITIZER 0
#endif

#undef DUOMAP_HAS_FEATURE

namespace duomap {

inline constexpr bool address_sanitizer = DUOMAP_ADDRESS_SANITIZER == 1;
inline constexpr bool thread_sanitizer = DUOMAP_THREAD_SANITIZER == 1;

}  // namespace duomap
