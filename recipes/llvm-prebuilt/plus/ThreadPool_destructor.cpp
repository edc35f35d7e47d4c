/*---
 * tasks: [10B1B6E197369BB6]
 * goals: [graft/out/lib/Support/ThreadPool.o]
 * tests:
 *   Destructor.WaitsForARunningTask: 'Docstring: "the pool will wait for all the threads to complete".'
 *   Destructor.RunsWhatIsQueued: 'processTasks: a worker ends only once the queue is empty; users hand in tasks and leave the scope.'
 *   Destructor.EndsIdleWorkers: 'Docstring: the threads complete, also those that wait for a task.'
 *   Destructor.OfAPoolWithoutThreadsReturns: 'asyncImpl makes threads as they are needed; a pool may have none.'
 *   Destructor.LetsFuturesBeReadAfterwards: 'async: the future holds the result of a task that has run.'
 ---*/
#include "llvm/Support/ThreadPool.h"
#include "gtest/gtest.h"
#include <atomic>

using namespace llvm;

TEST(Destructor, WaitsForARunningTask) {
  std::atomic<int> Done{0};
  std::promise<void> Started, Go;
  std::thread Opener;
  {
    ThreadPool Pool(hardware_concurrency(1));
    Pool.async([&] {
      Started.set_value();
      Go.get_future().wait();
      for (volatile int I = 0; I < 20000000; I = I + 1)
        ;
      Done = 1;
    });
    Started.get_future().wait();
    Opener = std::thread([&] { Go.set_value(); });
  }
  EXPECT_EQ(1, Done);
  Opener.join();
}

TEST(Destructor, RunsWhatIsQueued) {
  std::atomic<int> Done{0};
  std::promise<void> Go;
  std::shared_future<void> Open = Go.get_future().share();
  std::thread Opener;
  {
    ThreadPool Pool(hardware_concurrency(2));
    for (int I = 0; I < 100; I++)
      Pool.async([&, Open] {
        Open.wait();
        Done++;
      });
    Opener = std::thread([&] { Go.set_value(); });
  }
  EXPECT_EQ(100, Done);
  Opener.join();
}

TEST(Destructor, EndsIdleWorkers) {
  std::atomic<int> Done{0};
  {
    ThreadPool Pool(hardware_concurrency(3));
    for (int I = 0; I < 3; I++)
      Pool.async([&] { Done++; });
    Pool.wait();
  }
  EXPECT_EQ(3, Done);
}

TEST(Destructor, OfAPoolWithoutThreadsReturns) {
  { ThreadPool Pool(hardware_concurrency(2)); }
  SUCCEED();
}

TEST(Destructor, LetsFuturesBeReadAfterwards) {
  std::shared_future<int> Result;
  {
    ThreadPool Pool(hardware_concurrency(1));
    Result = Pool.async([] { return 42; });
  }
  ASSERT_EQ(std::future_status::ready, Result.wait_for(std::chrono::seconds(0)));
  EXPECT_EQ(42, Result.get());
}
