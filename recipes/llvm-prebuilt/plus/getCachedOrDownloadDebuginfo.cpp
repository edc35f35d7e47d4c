/*---
 * tasks: [C9181FD72A40273A]
 * goals: [graft/out/lib/Debuginfod/Debuginfod.o]
 * tests:
 *   Debuginfo.IsFoundInTheCache: 'Docstring: "searching the default local cache directory"; getCachedOrDownloadArtifact and getDebuginfodCacheKey name its files.'
 *   Debuginfo.IsNotTheExecutable: 'Docstring: "Fetches a debug binary"; getCachedOrDownloadExecutable fetches the other.'
 *   Debuginfo.OfAnotherBuildIsNotTaken: 'Docstring and signature: the binary of this build id.'
 *   Debuginfo.IsAnErrorWithoutServers: 'Docstring: cache and servers are searched; Expected holds the error when neither has it.'
 *   Debuginfo.OfAServerIsAskedForByItsPath: 'getDebuginfodDebuginfoUrlPath: "buildid/ID/debuginfo" is what a server is asked for.'
 ---*/
#include "llvm/Debuginfod/Debuginfod.h"
#include "llvm/Debuginfod/HTTPClient.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Testing/Support/Error.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace llvm;

static const uint8_t Build[] = {0xab, 0x01, 0x02, 0xcd};
static const uint8_t Other[] = {0xab, 0x01, 0x02, 0xce};

class Debuginfo : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("graft-plus", Cache));
    setenv("DEBUGINFOD_CACHE_PATH", Cache.c_str(), 1);
    setDefaultDebuginfodUrls({});
  }
  void TearDown() override { sys::fs::remove_directories(Cache); }

  std::string put(StringRef Key) {
    SmallString<128> Path = Cache;
    sys::path::append(Path, "llvmcache-" + Key);
    std::error_code EC;
    raw_fd_ostream(Path, EC) << "bytes";
    return std::string(Path);
  }

  SmallString<128> Cache;
};

TEST_F(Debuginfo, IsFoundInTheCache) {
  std::string Path = put(getDebuginfodCacheKey("buildid/ab0102cd/debuginfo"));
  EXPECT_THAT_EXPECTED(getCachedOrDownloadDebuginfo(Build), HasValue(Path));
}

TEST_F(Debuginfo, IsNotTheExecutable) {
  put(getDebuginfodCacheKey("buildid/ab0102cd/executable"));
  EXPECT_THAT_EXPECTED(getCachedOrDownloadDebuginfo(Build), Failed());
}

TEST_F(Debuginfo, OfAnotherBuildIsNotTaken) {
  put(getDebuginfodCacheKey("buildid/ab0102ce/debuginfo"));
  EXPECT_THAT_EXPECTED(getCachedOrDownloadDebuginfo(Build), Failed());
  EXPECT_THAT_EXPECTED(getCachedOrDownloadDebuginfo(Other), Succeeded());
}

TEST_F(Debuginfo, OfAServerIsAskedForByItsPath) {
  HTTPClient::initialize();
  SmallString<128> Served = Cache;
  sys::path::append(Served, "server", "buildid", "ab0102cd");
  ASSERT_FALSE(sys::fs::create_directories(Served));
  sys::path::append(Served, "debuginfo");
  std::error_code EC;
  raw_fd_ostream(Served, EC) << "from the server";
  std::string Url = ("file://" + Cache + "/server").str();
  setDefaultDebuginfodUrls({Url});
  Expected<std::string> Path = getCachedOrDownloadDebuginfo(Build);
  ASSERT_THAT_EXPECTED(Path, Succeeded());
  auto Buffer = MemoryBuffer::getFile(*Path);
  ASSERT_TRUE(bool(Buffer));
  EXPECT_EQ("from the server", (*Buffer)->getBuffer());
}

TEST_F(Debuginfo, IsAnErrorWithoutServers) { EXPECT_THAT_EXPECTED(getCachedOrDownloadDebuginfo(Build), Failed()); }
