{
  "variables": {
    "core_sources": [
      "native/core/support/error.cpp"
    ],
    "core_avx2_sources": [],
    "core_avx512_sources": [],
    "core_neon_sources": [],
    "binding_sources": []
  }
}
