# The first process of a `docker` container. It runs one command at a time for Graft, which speaks to it over the
# container's standard input and output, and it alone is root there (without capabilities but those to become the
# candidate's user and to kill).
#
# Frames, both ways: one letter, the length as 32 bits in network order, the data.
#   in   R  run: fields joined by NUL: seconds, kept bytes, file size in 512-byte blocks, folder, how many
#           environment entries, they (NAME=VALUE), the argv;   I (right after R)  standard input
#        W  write a file: path, "/graft/src"; I (right after W) its content, which is put there as the user
#        K  kill what runs;   C  kill all, and say whether the container is as it was
#   out  O  a piece of output;   E  "exit code, dropped 0|1, CPU seconds";   C  "" or what is left
# A command never holds a descriptor of these streams. When they end, Graft is gone, and the container ends.
use strict;
use warnings;
use Cwd ();
use POSIX ();
use Errno ();

my ($USER, $CHUNK) = (1000, 65536);
my $START = 'cd -- "$2" || exit 126; ulimit -c 0; ulimit -f "$1"; shift 2; exec "$@"';
my @BECOME = qw(setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps -all --bounding-set -all
    --no-new-privs -- /bin/sh -c);
$SIG{PIPE} = 'IGNORE';
# An engine that stops asks its containers first, and waits.
$SIG{TERM} = sub { finish() };
pipe(my $woken, my $wake) or exit 1;
$SIG{CHLD} = sub { local $!; syswrite $wake, 'x' };

sub finish { kill 9, -1; exit 0 }

sub take {
    my ($wanted, $data) = (shift, '');
    while (length $data < $wanted) {
        my $got = sysread STDIN, $data, $wanted - length $data, length $data;
        next if !defined $got && $!{EINTR};
        finish() unless $got;
    }
    return $data;
}

sub frame {
    my ($kind, $length) = unpack 'aN', take(5);
    return ($kind, $length ? take($length) : '');
}

sub give {
    my ($kind, $data) = @_;
    $data = pack('aN', $kind, length $data) . $data;
    while (length $data) {
        my $put = syswrite STDOUT, $data;
        next if !defined $put && $!{EINTR};
        finish() unless defined $put;
        substr($data, 0, $put) = '';
    }
}

# Everything but this process is its descendant, so none is left once there is no child.
sub kill_all {
    my %ended;
    kill 9, -1;
    while ((my $pid = waitpid -1, POSIX::WNOHANG()) >= 0) {
        if ($pid > 0) { $ended{$pid} = $?; next }
        select undef, undef, undef, 0.001;
        kill 9, -1;
    }
    return \%ended;
}

sub child {
    my ($run) = @_;
    my $pid = fork;
    return $pid if $pid || !defined $pid;
    POSIX::setsid();
    # Out of memory, the kernel must take the candidate first.
    if (open my $score, '>', '/proc/self/oom_score_adj') { print $score 500; close $score }
    $run->();
    POSIX::_exit(126);
}

sub run {
    my ($stop, $kept, $blocks, $folder, $count, @rest) = split /\0/, shift, -1;
    my %env = map { split /=/, $_, 2 } splice @rest, 0, $count;
    my (undef, $data) = frame();
    attend($stop, $kept, $data, sub {
        %ENV = %env;
        exec { $BECOME[0] } @BECOME, $START, 'sh', $blocks, $folder, @rest;
    });
}

# A new file, made aside and renamed: a link at its place is replaced, never written through.
sub put {
    my ($path, $root, $keeps_time) = split /\0/, shift, -1;
    my (undef, $data) = frame();
    attend(120, 4096, '', sub {
        $( = $USER;
        $) = "$USER $USER";
        POSIX::setuid($USER);
        my ($folder, $name) = $path =~ m{^(.*)/([^/]+)$} or refuse("no file's path");
        my @missing;
        while (!-e $folder && !-l $folder) {
            $folder =~ s{/([^/]*)$}{} or last;
            unshift @missing, $1 unless $1 eq '' || $1 eq '.';
        }
        my $real = Cwd::realpath($folder);
        refuse('leads out of the tree')
            if !defined $real || "$real/" !~ m{^\Q$root\E/} || grep { $_ eq '..' } @missing;
        for (@missing) { $real .= "/$_"; mkdir $real, 0755 or refuse($!) }
        my ($new, $old) = ("$real/.graft-$$", "$real/$name");
        my ($mode, @times) = -f $old && !-l $old ? (lstat _)[2, 8, 9] : (0644);
        umask 0;
        sysopen my $file, $new, POSIX::O_WRONLY() | POSIX::O_CREAT() | POSIX::O_EXCL(), 0600 or refuse($!);
        for (my $at = 0; $at < length $data;) {
            my $wrote = syswrite $file, $data, $CHUNK, $at;
            if (!defined $wrote) { my $why = "$!"; unlink $new; refuse($why) }
            $at += $wrote;
        }
        @times = () if !$keeps_time;
        my $is_whole = chmod($mode & 07777, $new) && close($file) && (!@times || utime @times, $new);
        if (!$is_whole || !rename $new, $old) {
            my $why = "$!";
            unlink $new;
            refuse($why);
        }
        POSIX::_exit(0);
    });
}

sub refuse { syswrite STDOUT, "$_[0]\n"; POSIX::_exit(4) }

# Runs $run in a child of this process, hands out what it prints, and reports its end.
sub attend {
    my ($stop, $kept, $data, $run) = @_;
    # A pipe belongs to who makes it: opened anew by /dev/stdout it must be the candidate's.
    $> = $USER;
    pipe(my $out, my $out_in);
    pipe(my $in_out, my $in);
    $> = 0;
    my @before = times;
    my $main = child(sub {
        POSIX::dup2(fileno $in_out, 0);
        POSIX::dup2(fileno $out_in, 1);
        POSIX::dup2(1, 2);
        $run->();
    });
    my $feeder = length $data && child(sub {
        close $_ for $out_in, $in_out;
        for (my $at = 0; $at < length $data;) {
            my $put = syswrite $in, $data, $CHUNK, $at;
            POSIX::_exit(0) unless defined $put;
            $at += $put;
        }
        POSIX::_exit(0);
    });
    close $_ for $in, $in_out, $out_in;
    my ($until, $sent, $dropped, $code, $open) = (time + $stop, 0, 0, defined $main ? undef : 126 << 8, 1);
    while ($open || !defined $code) {
        my $bits = '';
        vec($bits, fileno $_, 1) = 1 for \*STDIN, $woken, $open ? $out : ();
        if (select($bits, undef, undef, 5) < 0) { next }
        if (time > $until) { kill 9, -1 }
        if (vec $bits, fileno STDIN, 1) { frame(); kill 9, -1 }
        if (vec $bits, fileno $woken, 1) {
            sysread($woken, my $seen, $CHUNK);
            while ((my $pid = waitpid -1, POSIX::WNOHANG()) > 0) {
                next if $pid != $main;
                $code = $?;
                kill_all();
            }
        }
        if ($open && vec $bits, fileno $out, 1) {
            my $got = sysread($out, my $piece, $CHUNK);
            next if !defined $got && $!{EINTR};
            if (!$got) { $open = 0; next }
            my $room = $kept - $sent;
            $dropped = 1 if $got > $room;
            if ($room > 0) { $piece = substr $piece, 0, $room; $sent += length $piece; give('O', $piece) }
        }
    }
    kill_all();
    my @after = times;
    my $cpu = $after[2] + $after[3] - $before[2] - $before[3];
    give('E', join ' ', $code & 127 ? 128 + ($code & 127) : $code >> 8, $dropped, sprintf '%.2f', $cpu);
}

# What outlives a process and isn't in a file of the tree, /tmp or /dev/shm.
sub left {
    kill_all();
    for my $table (qw(sysvipc/shm sysvipc/sem sysvipc/msg net/tcp net/tcp6 net/udp net/udp6)) {
        open my $file, '<', "/proc/$table" or next;
        my @lines = <$file>;
        return "/proc/$table has entries" if @lines > 1;
    }
    opendir my $queues, '/dev/mqueue' or return '';
    return (grep { !/^\.\.?$/ } readdir $queues) ? 'a message queue is left' : '';
}

while (1) {
    my ($kind, $data) = frame();
    run($data) if $kind eq 'R';
    put($data) if $kind eq 'W';
    give('C', left()) if $kind eq 'C';
}
