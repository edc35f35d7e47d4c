/*---
 * tasks: [6A6BE28E5DA17399]
 * goals: [graft/out/lib/Support/ErrorHandling.o]
 * tests:
 *   NewHandler.IsInstalled: 'Docstring: "Installs new handler".'
 *   NewHandler.EndsTheProgramWhenAllocationFails: 'Docstring: "causes crash on allocation failure".'
 *   NewHandler.TellsTheBadAllocHandler: 'The comment on out_of_memory_new_handler: it runs before the handler of install_bad_alloc_error_handler.'
 *   NewHandler.LeavesTheHandlerOfTermination: 'Docstring: it installs one for failed allocations, and no other.'
 *   NewHandler.MayBeInstalledTwice: 'Its assertion: the old handler is none or this one (InitLLVM in a library and in its user).'
 ---*/
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

using namespace llvm;

class NewHandler : public testing::Test {
protected:
  void SetUp() override { std::set_new_handler(nullptr); }
  void TearDown() override { std::set_new_handler(nullptr); }
};

TEST_F(NewHandler, IsInstalled) {
  install_out_of_memory_new_handler();
  EXPECT_NE(nullptr, std::get_new_handler());
}

TEST_F(NewHandler, EndsTheProgramWhenAllocationFails) {
  install_out_of_memory_new_handler();
  std::new_handler Handler = std::get_new_handler();
  ASSERT_NE(nullptr, Handler);
  EXPECT_DEATH(Handler(), "");
}

static void badAlloc(void *Data, const char *Reason, bool) {
  fprintf(stderr, "told %s: %s\n", static_cast<const char *>(Data), Reason);
  _exit(3);
}

TEST_F(NewHandler, TellsTheBadAllocHandler) {
  static char Name[] = "the handler";
  install_out_of_memory_new_handler();
  std::new_handler Handler = std::get_new_handler();
  ASSERT_NE(nullptr, Handler);
  install_bad_alloc_error_handler(badAlloc, Name);
  EXPECT_EXIT(Handler(), testing::ExitedWithCode(3), "told the handler: ");
  remove_bad_alloc_error_handler();
}

TEST_F(NewHandler, LeavesTheHandlerOfTermination) {
  std::terminate_handler Before = std::get_terminate();
  install_out_of_memory_new_handler();
  EXPECT_EQ(Before, std::get_terminate());
}

TEST_F(NewHandler, MayBeInstalledTwice) {
  install_out_of_memory_new_handler();
  std::new_handler First = std::get_new_handler();
  install_out_of_memory_new_handler();
  EXPECT_NE(nullptr, First);
  EXPECT_EQ(First, std::get_new_handler());
}
