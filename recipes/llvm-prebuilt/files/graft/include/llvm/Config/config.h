/* LLVM's private configuration isn't shipped with its libraries: what the units built here ask of it, on Linux. */
#pragma once
#include "llvm/Config/llvm-config.h"
#define ENABLE_BACKTRACES 1
#define HAVE_UNISTD_H 1
#define HAVE_SYSEXITS_H 1
#define HAVE_PTHREAD_H 1
#define HAVE_FENV_H 1
#define HAVE_DECL_FE_ALL_EXCEPT 1
#define HAVE_DECL_FE_INEXACT 1
#define LLVM_ENABLE_CRASH_DUMPS 0
#define PACKAGE_NAME "LLVM"
#define PACKAGE_VERSION "18.1.8"
#define BUG_REPORT_URL "https://github.com/llvm/llvm-project/issues/"
