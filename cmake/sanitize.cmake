# Sanitizers are for a whole build or for none of it: mixing instrumented and plain objects of the same inline
# function makes ThreadSanitizer miss races, hence directory scope instead of one target's options.
if(DUOMAP_SANITIZE STREQUAL "address")
  set(sanitizers "address,undefined")
elseif(DUOMAP_SANITIZE STREQUAL "thread")
  set(sanitizers "thread")
elseif(DUOMAP_SANITIZE)
  message(FATAL_ERROR "DUOMAP_SANITIZE is '${DUOMAP_SANITIZE}': give address, thread or nothing")
endif()

if(DUOMAP_SANITIZE)
  add_compile_options(
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizers}>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
  # Fuzzing is led by what its input reaches, also in the libraries of duomap.
  if(DUOMAP_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
  # With the checks in between, g++ no longer sees that members of standard library types are initialised.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-uninitialized>)
  add_link_options(-fsanitize=${sanitizers})
  # With both sets of checks in the code, -O1 takes 40 s of the processor for tests/conformance/depth_test.cpp and
  # -Og 24, while what runs gets a fifth slower. Not for the thread sanitizer: 15 and 11 s, and its tests, which
  # take longer than compiling them, up to 1.6 times as long.
  if(DUOMAP_SANITIZE STREQUAL "address")
    add_compile_options($<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<CONFIG:Debug>>:-Og>)
  endif()
endif()
