# cmake -DNM=nm -DOBJECTS=a.o;b.o -P kernel_symbols.cmake
#
# A kernel file compiled for one instruction set may give the linker its table's accessor and nothing else: any function
# shared between files (weak) could replace the generic one (core/simd/README.md).
foreach(object ${OBJECTS})
  execute_process(COMMAND ${NM} -C --defined-only --extern-only ${object} OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
  string(REGEX REPLACE "\n$" "" symbols "${symbols}")
  if(failed OR NOT symbols MATCHES "^[0-9a-f]+ T tonearm::simd::[a-z0-9]+Kernels\\(\\)$")
    message(FATAL_ERROR "${object} should define one global function, but it defines:\n${symbols}")
  endif()
endforeach()
