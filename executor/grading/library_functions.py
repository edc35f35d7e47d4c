"""Names of the C and C++ libraries by what a call of them can do: the lists behind `flags`."""

from __future__ import annotations

import re
from functools import lru_cache

from index.cpp.keywords import word_set

# What a candidate hardly ever needs unless the gold needs it: it ends, leaves or controls a process, or reaches
# another. Builtins and names with underscores before them count as the plain name.
_DANGEROUS = {
    "exit": "exit quick_exit exit_group abort trap err errx verr verrx thrd_exit pthread_exit pthread_cancel terminate"
    " assert_fail cxa_throw rethrow_exception unexpected pthread_kill",
    "jump": "setjmp sigsetjmp longjmp siglongjmp getcontext setcontext makecontext swapcontext frame_address"
    " return_address eh_return unwind_init backtrace",
    "process": "system popen fork vfork clone clone3 clone2 posix_spawn posix_spawnp execl execle execlp execv execve"
    " execvp execvpe execveat fexecve wordexp daemon wait4 forkpty setns unshare prctl arch_prctl personality prlimit"
    " prlimit64 setrlimit setpgid setsid cap_set_proc",
    "signal": "kill killpg tgkill tkill raise sigqueue rt_sigqueueinfo pthread_sigqueue signal sigaction bsd_signal"
    " sysv_signal sigset sigprocmask pthread_sigmask alarm setitimer timer_create timer_settime ualarm sigaltstack"
    " signalfd ptrace pidfd_open pidfd_getfd pidfd_send_signal process_vm_readv process_vm_writev kcmp psignal",
    "loader": "dlopen dlmopen dlsym dlvsym dladdr dl_iterate_phdr dlinfo mprotect pkey_mprotect atexit on_exit"
    " at_quick_exit cxa_atexit set_terminate set_unexpected memfd_create mremap remap_file_pages register_frame"
    " malloc_hook environ setenv putenv unsetenv clearenv",
    "file removal": "unlink unlinkat rmdir remove nftw ftw truncate ftruncate truncate64 ftruncate64",
    "file": "rename renameat renameat2 link linkat symlink symlinkat mkfifo mkfifoat mknod mknodat chmod fchmod"
    " fchmodat chown fchown lchown fchownat utime utimes utimensat futimens futimes chroot chdir fchdir pivot_root"
    " mount umount umount2 mkostemp mkstemp mkdtemp copy_file_range sendfile splice tee vmsplice inotify_init"
    " inotify_init1 fanotify_init filesystem ofstream fstream basic_ofstream basic_fstream",
    "socket": "socket socketpair connect bind listen accept accept4 sendmsg sendmmsg recvmsg sendto recvfrom"
    " getaddrinfo shm_open shmget shmat mq_open msgget semget sem_open userfaultfd io_uring_setup io_uring_enter bpf"
    " perf_event_open keyctl add_key eventfd",
    "raw system call": "syscall indirect_syscall",
}
# What honest code does, though seldom where the gold doesn't: flagged where the gold is known and doesn't do it.
_OUTWARD = {
    "output": "printf vprintf fprintf vfprintf dprintf vdprintf puts fputs putchar putc fputc putchar_unlocked"
    " putc_unlocked fputc_unlocked fputs_unlocked fwrite fwrite_unlocked write pwrite pwrite64 writev pwritev send"
    " perror warn warnx vwarn vwarnx printf_chk fprintf_chk vprintf_chk vfprintf_chk syslog cout cerr clog wprintf"
    " fwprintf fputws putwchar stdout stderr print println vprint_unicode",
    "file": "open openat open64 openat2 creat creat64 fopen fopen64 freopen freopen64 fdopen tmpfile opendir fdopendir"
    " scandir readlink readlinkat ifstream basic_ifstream open_by_handle_at setvbuf setbuf setbuffer filebuf"
    " basic_filebuf stdio_filebuf stdio_sync_filebuf",
    "descriptor": "dup dup2 dup3 close closefrom close_range fclose fcntl ioctl pipe pipe2 mmap mmap64 munmap msync",
    "waiting": "sleep usleep nanosleep clock_nanosleep pause sigsuspend poll ppoll select epoll_wait waitpid waitid"
    " pthread_create thrd_create thread jthread async",
}

DANGEROUS = {name: kind for kind, names in _DANGEROUS.items() for name in names.split()}
OUTWARD = {name: kind for kind, names in _OUTWARD.items() for name in names.split()}
# Of these a function of the repository that calls one, itself or by one other function, is as bad as the call.
CORE = word_set(
    "exit quick_exit system popen fork vfork clone posix_spawn posix_spawnp execl execle execlp execv execve execvp"
    " kill killpg raise dlopen dlsym socket connect socketpair open openat creat fopen freopen unlink rename symlink"
    " syscall mprotect ptrace"
)

# Words that code also uses for variables and labels: only a call of them is looked at.
COMMON = word_set(
    "err warn link signal trap remove connect bind listen accept send rename pause alarm select poll write close open"
    " pipe truncate mount splice tee sleep thread async raise environ terminate socket dup puts clone"
)

# Neither ends anything nor reaches out of its arguments: strings, memory, numbers, characters, mathematics.
_PURE_NAMES = word_set(
    "assert static_assert malloc calloc realloc reallocarray free aligned_alloc posix_memalign malloc_usable_size"
    " alloca asprintf vasprintf snprintf vsnprintf swprintf vswprintf sprintf vsprintf sscanf vsscanf atof atoi atol"
    " atoll qsort qsort_r bsearch bcmp bcopy bzero explicit_bzero ffs ffsl ffsll index rindex va_start va_end va_arg"
    " va_copy offsetof abs labs llabs imaxabs div ldiv lldiv atan2 htons htonl ntohs ntohl bswap_16 bswap_32 bswap_64"
    " gmtime_r errno_location inet_ntop inet_pton swap begin end min max move forward make_pair make_tuple make_unique"
    " make_shared get tie static_cast dynamic_cast const_cast reinterpret_cast expect expect_with_probability"
    " unreachable assume_aligned prefetch constant_p types_compatible_p choose_expr object_size"
)
_PURE = re.compile(
    r"(?:mem|str|wcs|wmem|stp)[a-z0-9_]+"
    r"|(?:is|to)w?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)"
    r"|U?INT(?:8|16|32|64|MAX)_C|hto[bl]e(?:16|32|64)|[bl]e(?:16|32|64)toh"
    r"|(?:a?(?:sin|cos|tan)h?|atan2|exp(?:2|10|m1)?|log(?:2|10|1p|b)?|pow|sqrt|cbrt|hypot|ceil|floor|round|trunc|rint"
    r"|nearbyint|l?l(?:round|rint)|fmod|remainder|remquo|copysign|nextafter|fma|fmin|fmax|fdim|fabs|frexp|ldexp|modf"
    r"|scalbl?n|ilogb|erfc?|[tl]gamma|nan|signbit|fpclassify|finite|isnan|isinf|isfinite|isnormal)[fl]?"
    r"|(?:clz|ctz|clrsb|popcount|parity)(?:l|ll)?|bswap(?:16|32|64)|[su]?(?:add|sub|mul)(?:l|ll)?_overflow(?:_p)?"
    r"|(?:huge_val|inf|nan)[fl]?|(?:atomic|sync)_[a-z0-9_]+"
)


def normalise_library_function_name(name: str) -> str:
    """The name without what only makes it another spelling of the same function: `__builtin__exit` is `exit`."""
    bare = name.lstrip("_")
    for prefix in ("builtin_", "libc_"):
        bare = bare.removeprefix(prefix).lstrip("_")
    return _SPELLINGS.get(bare, bare.removesuffix("_chk"))


_SPELLINGS = {"Exit": "exit", "Fork": "fork"}


def has_no_outside_effect(name: str) -> bool:
    """Whether a call of this library function can only compute."""
    bare = normalise_library_function_name(name)
    return bare in _PURE_NAMES or _PURE.fullmatch(bare) is not None or name in ("NULL", "_Static_assert")


@lru_cache(maxsize=4096)
def can_reach_outside_process(name: str) -> bool:
    """Whether a call of this function can end or leave its process, or write out of it."""
    return normalise_library_function_name(name) in DANGEROUS or normalise_library_function_name(name) in OUTWARD
