#pragma once

#include <ctime>

// Seconds of CPU time this thread has used: unlike the wall clock, it stands still while others have the
// core.
inline double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
