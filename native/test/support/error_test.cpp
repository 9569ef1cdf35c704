#include "check.hpp"
#include "core/support/cancel.hpp"

using namespace tonearm;

TEST("a raised flag cancels, a lowered one does not") {
  std::int32_t flag = 0;
  CancelToken cancel(&flag);
  cancel.check();
  flag = 1;
  CHECK_THROWS(ErrorCode::canceled, cancel.check());
  CHECK(!CancelToken().requested());
}
