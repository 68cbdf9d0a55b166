// Host code that calls a function of the device, which nvcc takes without a word.
template <class T>
__device__ T next(T number) {
  return number + 1;
}
template <class T>
T next_but_one(T number) {
  return next(number) + 1;
}
int two() { return next_but_one(0); }
