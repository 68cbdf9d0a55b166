// A user without nvcc: the host policy from plain C++.
#include <mgpu/sort.h>
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  std::vector<int> keys{3, -1, 2, -5, 0};
  mgpu::sort(mgpu::host, keys.begin(), keys.end());
  bool const sorted = std::is_sorted(keys.begin(), keys.end());
  std::printf("host policy: %s\n", sorted ? "sorted" : "NOT sorted");
  return sorted ? 0 : 1;
}
