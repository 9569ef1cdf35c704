# Builds the addon on `npm install`. The file lists live in native/sources.gypi, which native/CMakeLists.txt reads too.
{
  "includes": ["native/sources.gypi"],
  "target_defaults": {
    "include_dirs": ["native"],
    "cflags_cc": ["-std=c++20", "-O3", "-Wall", "-Wextra", "-fvisibility=hidden"],
    "cflags_cc!": ["-std=gnu++17", "-fno-exceptions", "-fno-rtti"],
    "cflags!": ["-fno-exceptions"],
    "defines": [
      "NAPI_VERSION=9",
      "NODE_ADDON_API_CPP_EXCEPTIONS",
      # Without it, terminating a worker thread during a native call aborts the whole process.
      "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS"
    ]
  },
  "targets": [
    {
      "target_name": "core",
      "type": "static_library",
      "sources": ["<@(core_sources)"],
      # Weights of the networks are linked in (see native/core/rhythm/beat_weights.cpp).
      "defines": ["TONEARM_MODELS_DIR=\"<(module_root_dir)/models\""],
      "cflags": ["<!@(pkg-config --cflags libavformat libavcodec libswresample libavutil)"],
      # gyp has no per-file flags, so each instruction set is a library of its own.
      "conditions": [
        ["target_arch=='x64'", { "dependencies": ["kernels_avx2", "kernels_avx512"] }],
        ["target_arch=='arm64'", { "dependencies": ["kernels_neon"] }]
      ]
    },
    {
      "target_name": "tonearm",
      "type": "loadable_module",
      "product_extension": "node",
      "product_prefix": "",
      "sources": ["<@(binding_sources)"],
      "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")"],
      "dependencies": ["core"],
      "libraries": ["<!@(pkg-config --libs libavformat libavcodec libswresample libavutil)"]
    }
  ],
  "conditions": [
    ["target_arch=='x64'", {
      "targets": [
        {
          "target_name": "kernels_avx2",
          "type": "static_library",
          "sources": ["<@(core_avx2_sources)"],
          "cflags": ["-mavx2", "-mfma"]
        },
        {
          "target_name": "kernels_avx512",
          "type": "static_library",
          "sources": ["<@(core_avx512_sources)"],
          "cflags": ["-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mfma", "-mprefer-vector-width=512"]
        }
      ]
    }],
    ["target_arch=='arm64'", {
      "targets": [
        {
          "target_name": "kernels_neon",
          "type": "static_library",
          "sources": ["<@(core_neon_sources)"]
        }
      ]
    }]
  ]
}
