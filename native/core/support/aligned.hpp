#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace tonearm {

// Memory aligned to 64 bytes: a cache line, and the widest vector.
template <typename T>
struct CacheAlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  CacheAlignedAllocator() = default;
  template <typename U>
  CacheAlignedAllocator(const CacheAlignedAllocator<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kAlignment); }
  template <typename U>
  bool operator==(const CacheAlignedAllocator<U>&) const {
    return true;
  }
};

using AlignedFloats = std::vector<float, CacheAlignedAllocator<float>>;

}  // namespace tonearm
