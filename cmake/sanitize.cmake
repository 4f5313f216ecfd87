# A sanitizer's options are set for the whole build and not for single targets: ThreadSanitizer misses races
# if instrumented and plain objects have the same inline function.
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
  # The fuzzer chooses inputs by the code that they reach, so duomap's libraries are instrumented, too.
  if(DUOMAP_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
  # Sanitizer checks hide from g++ that members of standard library types are initialised.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized> $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-uninitialized>)
  add_link_options(-fsanitize=${sanitizers})
  # -Og compiles both checks in 24 s of processor time instead of 40 with -O1
  # (tests/conformance/depth_test.cpp), and tests run a fifth slower. The thread sanitizer keeps -O1: its
  # tests run longer than they compile, and -Og would slow them by up to 1.6 times.
  if(DUOMAP_SANITIZE STREQUAL "address")
    add_compile_options($<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<CONFIG:Debug>>:-Og>)
  endif()
endif()
