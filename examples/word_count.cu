// Counts how often each word occurs in the file that the command line names: the words are sorted, a scan numbers the
// different ones, and from the first place of a word to that of the next is its count.
#include <mgpu/mgpu.h>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scatter.h>
#include <thrust/transform.h>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

template <class T>
using on_gpu = thrust::device_vector<T>;
template <class T>
using on_cpu = thrust::host_vector<T>;

struct word {
  char letters[16];  // zeros behind the last one
};

struct alphabetical {
  __host__ __device__ bool operator()(word const& a, word const& b) const {
    int i = 0;
    while (i < 15 && a.letters[i] == b.letters[i]) ++i;
    return a.letters[i] < b.letters[i];
  }
};

struct is_new {
  word const* words;
  __host__ __device__ int operator()(int i) const { return i == 0 || alphabetical{}(words[i - 1], words[i]) ? 1 : 0; }
};

struct word_counts {
  on_cpu<word> words;         // sorted
  on_cpu<int> counts, first;  // of each word, and where it is; the most frequent one first
};

// Where the vectors live decides where all of this runs.
template <template <class> class Vector>
word_counts count_words(Vector<word> words) {
  mgpu::sort(words.begin(), words.end(), alphabetical{});

  int const num_words = static_cast<int>(words.size());
  thrust::counting_iterator<int> const places(0);
  is_new const begins{thrust::raw_pointer_cast(words.data())};
  Vector<int> numbers(words.size()), total(1);
  mgpu::transform_exclusive_scan_with_total(places, places + num_words, numbers.begin(), total.begin(), begins, 0,
                                            cuda::std::plus<>{});
  Vector<int> counts(static_cast<std::size_t>(total[0])), first(counts.size() + 1, num_words);
  thrust::scatter_if(places, places + num_words, numbers.begin(), places, first.begin(), begins);
  thrust::transform(first.begin() + 1, first.end(), first.begin(), counts.begin(), cuda::std::minus<>{});

  mgpu::sort_by_key(counts.begin(), counts.end(), first.begin(), cuda::std::greater<>{});
  return {words, counts, first};
}

int main(int argc, char** argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) {
    std::fprintf(stderr, "usage: word_count FILE\n");
    return 2;
  }
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalpha(c) == 0; }, ' ');

  on_cpu<word> words;  // one of more than 15 letters counts as several
  std::map<word, int, alphabetical> expected;
  std::istringstream stream(text);
  for (word read{}; stream >> std::setw(sizeof(word)) >> read.letters; read = {}) {
    words.push_back(read);
    ++expected[read];
  }
  int devices = 0;
  bool const gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  auto const found = gpu ? count_words<on_gpu>(words) : count_words<on_cpu>(words);
  std::printf("The %s counted %zu words, %zu different ones\n", gpu ? "GPU" : "CPU", words.size(), expected.size());

  bool right = !words.empty() && found.counts.size() == expected.size();
  for (std::size_t i = 0; right && i < found.counts.size(); ++i) {
    word const& at_i = found.words[static_cast<std::size_t>(found.first[i])];
    if (i < 10) std::printf("%6d %s\n", found.counts[i], at_i.letters);
    right = found.counts[i] == expected[at_i] && (i == 0 || found.counts[i] <= found.counts[i - 1]);
  }
  return right ? 0 : 1;
}
