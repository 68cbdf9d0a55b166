# cmake -D CHECKER=<check_layering.cmake> -D WORK_DIR=<scratch folder> -P check_layering_fires.cmake
#
# Shows that every rule of the layering check fires: each seed is a tree that is clean but for one planted file.
cmake_minimum_required(VERSION 3.25)

set(detail detail/mgpu/detail)

function(make_clean_tree)
  file(REMOVE_RECURSE "${WORK_DIR}")
  # The tree has everything that looks like a violation and is none.
  file(WRITE "${WORK_DIR}/${detail}/simt/simt.cuh" "#include <cuda/atomic>\n#include <emulator/simt.h>\n"
       "inline unsigned rank() { return threadIdx.x; }\nauto enqueue(int) { return cudaLaunchKernelExC(); }\n")
  file(WRITE "${WORK_DIR}/${detail}/thread/merge.cuh" "#include <mgpu/detail/simt/simt.cuh>\n#include <cstdint>\n"
       "// threadIdx, __syncthreads() and enqueue() are words here; so is <<<.\n/* asm\n * volatile */\n"
       "auto text = \"__shared__ <<< https://\";\nint my_threadIdx, asm_count;\n")
  file(WRITE "${WORK_DIR}/${detail}/backend/sort/sort.cuh" "#include <mgpu/detail/core/sort_problem.h>\n"
       "#include <mgpu/detail/backend/sort/sort_kernel.cuh>\n#include <mgpu/detail/runtime/launch.h>\n"
       "#include <algorithm>\nauto status =\n    cudaFree(p);\n")
  file(WRITE "${WORK_DIR}/${detail}/backend/sort/sort_kernel.cuh" "#include <mgpu/detail/thread/merge.cuh>\n"
       "__global__ void sort_kernel() { data[0]; }\n")
  file(WRITE "${WORK_DIR}/${detail}/runtime/launch.h" "#include <mgpu/detail/simt/launch.h>\n#include <mgpu/detail/core/config.h>\n"
       "#include <thrust/system_error.h>\nvoid launch() { check(enqueue(1)); }\n")
  file(WRITE "${WORK_DIR}/detail/README.md" "What stands where.\n")
  file(WRITE "${WORK_DIR}/${detail}/dispatch/sort.cuh" "#include <mgpu/detail/backend/sort/sort.cuh>\n")
  file(WRITE "${WORK_DIR}/include/mgpu/sort.h" "#include <mgpu/detail/dispatch/sort.cuh>\n#include <thrust/pair.h>\n")
endfunction()

function(run_checker out_passed out_messages)
  execute_process(COMMAND "${CMAKE_COMMAND}" -D "ROOT=${WORK_DIR}" -P "${CHECKER}"
                  RESULT_VARIABLE status ERROR_VARIABLE messages)
  string(REGEX REPLACE "[ \n]+" " " messages "${messages}")  # CMake wraps messages
  if(status EQUAL 0)
    set(${out_passed} ON PARENT_SCOPE)
  else()
    set(${out_passed} OFF PARENT_SCOPE)
  endif()
  set(${out_messages} "${messages}" PARENT_SCOPE)
endfunction()

# seed(<file> <content> <expected message, a regular expression that names the rule>)
function(seed file content expected)
  string(SUBSTRING "${content}" 0 100 shown)
  make_clean_tree()
  file(WRITE "${WORK_DIR}/${file}" "${content}\n")
  run_checker(passed messages)
  if(passed)
    message(SEND_ERROR "passed, although ${file} holds: ${shown}")
  elseif(NOT messages MATCHES "${expected}")
    message(SEND_ERROR "for '${shown}' in ${file} expected '${expected}', got: ${messages}")
  endif()
  string(REGEX MATCHALL "rule [0-9]:" found "${messages}")
  list(LENGTH found count)
  if(count GREATER 1)
    message(SEND_ERROR "one violation in ${file} ('${shown}'), several reports: ${messages}")
  endif()
endfunction()

make_clean_tree()
run_checker(passed messages)
if(NOT passed)
  message(SEND_ERROR "the clean tree fails: ${messages}")
endif()

# Rule 1: layers
seed(${detail}/core/a.h "#include <mgpu/detail/thread/merge.cuh>" "rule 1: .*core/ must not include thread/")
seed(${detail}/thread/a.cuh "#include <mgpu/detail/warp/b.cuh>" "rule 1: .*thread/ must not include warp/")
seed(${detail}/warp/a.cuh "#  include  <mgpu/detail/block/b.cuh>" "rule 1: .*warp/ must not include block/")
seed(${detail}/block/a.cuh "#include <mgpu/detail/grid/b.cuh>" "rule 1: .*block/ must not include grid/")
seed(${detail}/grid/a.cuh "#include <mgpu/detail/backend/sort/b.cuh>" "rule 1: .*grid/ must not include backend/")
seed(${detail}/backend/sort/a.cuh "#include <mgpu/detail/dispatch/b.cuh>" "rule 1: .*backend/ must not include disp")
seed(${detail}/dispatch/a.cuh "#include <mgpu/sort.h>" "rule 1: .*dispatch/ must not include api/")
seed(${detail}/core/a.h "#include <mgpu/detail/simt/simt.cuh>" "rule 1: .*core/ must not include simt/")
seed(${detail}/backend/sort/a.cuh "#include <mgpu/execution_policy.h>" "rule 1: .*must not include api/")
seed(${detail}/block/a.cuh "#include <mgpu/detail/runtime/launch.h>" "rule 1: .*device code must not include runtime/")
seed(${detail}/backend/sort/b_kernel.cuh "#include <mgpu/detail/runtime/launch.h>" "rule 1: .*device code must not")
seed(${detail}/backend/sort/tuning.h "#include <mgpu/detail/runtime/launch.h>" "rule 1: .*device code must not")
foreach(header mgpu/detail/block/b.cuh mgpu/detail/simt/simt.cuh mgpu/execution_policy.h mgpu/sort.h)
  seed(${detail}/runtime/a.h "#include <${header}>" "rule 1: .*runtime/ includes only core/ and simt/launch.h")
endforeach()
seed(${detail}/agent/a.cuh "#include <mgpu/detail/simt/simt.cuh>" "rule 1: .*no layer: agent/")
seed(${detail}/block/a.cuh "#include \"tile.cuh\"" "rule 1: .*quoted include \"tile.cuh\"")
seed(${detail}/block/README.md "" "rule 1: .*ends in .h or .cuh")
seed(${detail}/block/a.hpp "" "rule 1: .*ends in .h or .cuh")

# Rule 2: backends
seed(${detail}/backend/scan/a.cuh "#include <mgpu/detail/backend/sort/tuning.h>" "rule 2: .*must not include another")

# Rule 3: kernels, launches, runtime calls
seed(${detail}/block/a.cuh "__global__ void f()" "rule 3: .*__global__ outside")
seed(${detail}/backend/sort/a.cuh "void f() { k<<<1, 2>>>(); }" "rule 3: .*a launch outside")
seed(${detail}/core/a.cuh "void f() { k<<<1, 2>>>(); }" "rule 3: .*a launch outside")
seed(${detail}/backend/sort/a.cuh "void f() { simt::enqueue(k); }" "rule 3: .*a launch .enqueue. outside")
seed(${detail}/runtime/a.h "void f() { check(cudaLaunchKernel(k)); }" "rule 3: .*a launch .cudaLaunchKernel. outside")
seed(${detail}/runtime/a.h "void f() { g(); cudaFree(p); }" "rule 3: .*the result of cudaFree is dropped")

# Rule 4: device vocabulary. Brackets and a semicolon around a word must not hide it.
foreach(word threadIdx.x blockIdx.x blockDim.x gridDim.x "__syncthreads()" "__syncwarp()" "__shfl_xor_sync(m, x, 1)"
        "__ballot_sync(m, p)" "__all_sync(m, p)" "__any_sync(m, p)" "__match_any_sync(m, x)" "__reduce_add_sync(m, x)"
        "atomicAdd(p, 1)" "atomicCAS_block(p, 1, 2)" "cuda::atomic_ref<int>(x)" "asm volatile(\"\")" "asm(\"\")"
        "__shared__ int" "volatile int" "__nanosleep(20)" "__threadfence()" "__ldg(p)" "__popc(x)" "__activemask()" "__dp4a(x, y, z)")
  seed(${detail}/block/a.cuh "void f() { a[0] = ${word}; }" "rule 4: .* belongs in simt/")
  seed(${detail}/backend/sort/c_kernel.cuh "__global__ void f() { ${word}; }" "rule 4: .* belongs in simt/")
endforeach()
seed(${detail}/warp/a.cuh "#include <cuda/atomic>" "rule 4: .*<cuda/atomic> belongs in simt/")
seed(${detail}/warp/a.cuh "#include <emulator/simt.h>" "rule 4: .*only simt/ may name the emulator")
seed(include/mgpu/a.h "int x = threadIdx.x;" "rule 4: .*threadIdx belongs in simt/")

# Rule 5: other libraries
seed(${detail}/runtime/a.h "#include <cub/cub.cuh>" "rule 5: .*does not use <cub/cub.cuh>")
seed(include/mgpu/a.h "#include <boost/config.hpp>" "rule 5: .*does not use <boost/config.hpp>")
seed(${detail}/dispatch/distributed_a.h "#include <nccl.h>" "rule 5: .*NCCL belongs in runtime/distributed_")
seed(include/mgpu/a.h "#include <mgpu/detail/dispatch/distributed_sort.cuh>" "rule 5: .*alone brings NCCL")
seed(${detail}/block/a.cuh "#include <thrust/pair.h>" "rule 5: .*Thrust belongs in runtime/ and the API")
seed(${detail}/dispatch/a.cuh "#include <thrust/pair.h>" "rule 5: .*Thrust belongs in runtime/ and the API")
seed(${detail}/thread/a.cuh "#include <functional>" "rule 5: .*device code uses cuda::std")

# Rule 6: length
string(REPEAT "int x;\n" 351 long_text)
seed(${detail}/core/long.h "${long_text}" "rule 6: .*352 lines, the limit is 350")
seed(test/long.cu "${long_text}" "rule 6: .*352 lines, the limit is 350")
