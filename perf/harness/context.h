// The machine that a run was made on, for the head of its JSON.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace perf {

// Empty if a CUDA GPU is there that this program has code for; else why none can be used.
std::string why_no_gpu();

// Names and values: GPU, clocks, driver, versions. Needs a GPU.
std::vector<std::pair<std::string, std::string>> gpu_context();

}  // namespace perf
