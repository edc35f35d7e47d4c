/*---
 * tasks: [455EF5EE60B536EC]
 * goals: [graft/out/lib/Debuginfod/Debuginfod.o]
 * tests:
 *   Timeout.IsNinetySecondsByDefault: 'Docstring: "default is 90 seconds (90000 ms)".'
 *   Timeout.OfTheVariableIsInSeconds: 'debuginfod_find_debuginfo(3), whose variable it is: "seconds"; the docstring gives its default so.'
 *   Timeout.OfOneSecondIsTaken: 'Docstring: "Checks DEBUGINFOD_TIMEOUT environment variable".'
 *   Timeout.ThatIsNoNumberGivesTheDefault: 'Docstring: "default"; HTTPClient::setTimeout: 0 would mean that a request never times out.'
 *   Timeout.IsReadAgainOnEachCall: 'Docstring: it checks the environment; nothing is said of a first call.'
 ---*/
#include "llvm/Debuginfod/Debuginfod.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace llvm;

static long long timeout(const char *Variable) {
  if (Variable)
    setenv("DEBUGINFOD_TIMEOUT", Variable, 1);
  else
    unsetenv("DEBUGINFOD_TIMEOUT");
  return getDefaultDebuginfodTimeout().count();
}

TEST(Timeout, IsNinetySecondsByDefault) { EXPECT_EQ(90000, timeout(nullptr)); }

TEST(Timeout, OfTheVariableIsInSeconds) { EXPECT_EQ(17000, timeout("17")); }

TEST(Timeout, OfOneSecondIsTaken) { EXPECT_EQ(1000, timeout("1")); }

TEST(Timeout, ThatIsNoNumberGivesTheDefault) {
  EXPECT_EQ(90000, timeout("soon"));
  EXPECT_EQ(90000, timeout(""));
}

TEST(Timeout, IsReadAgainOnEachCall) {
  EXPECT_EQ(3000, timeout("3"));
  EXPECT_EQ(4000, timeout("4"));
  EXPECT_EQ(90000, timeout(nullptr));
}
