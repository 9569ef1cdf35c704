#pragma once

#include <pthread.h>

#include <ctime>

// The CPU time of the thread that makes it, readable from any thread: how much it has worked, however busy
// the machine is with other things.
class ThreadClock {
 public:
  ThreadClock() { ::pthread_getcpuclockid(::pthread_self(), &clock_); }
  double seconds() const {
    std::timespec now{};
    ::clock_gettime(clock_, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

 private:
  clockid_t clock_{};
};
