/*---
 * tasks: [snd_midi_event_decode-c1ba6f]
 * tests:
 *   notes and key pressure are decoded: 'Docstring: the list of events.'
 *   controllers are decoded: 'Docstring: the list of events.'
 *   program changes and channel pressure are decoded: 'Docstring: the list of events; one data byte.'
 *   pitch bends are decoded: 'Docstring: the list; asoundef.h and seq_event.h: -8192 to 8191.'
 *   each channel is decoded: 'seq_event.h: channel number.'
 *   data bytes never look like a status: 'MIDI: a data byte is less than 128.'
 *   system common messages are decoded: 'Docstring: the list of events.'
 *   system common messages always have their status:
 *     'test/lsb/midi_event.c: "no running status for non-realtime common messages".'
 *   real time messages are one byte: 'Docstring: the list of events.'
 *   a system exclusive message is copied: 'Docstring: "any length (as specified by ev->data.ext.len)".'
 *   after a system exclusive message the status is written: 'test/lsb/midi_event.c: "no running status after SysEx".'
 *   the stream stays readable over many events: 'Docstring: "may use running status".'
 *   the same status on another channel is written: 'snd_midi_event_no_status: only an identical status is omitted.'
 *   without merging each status is written: 'Docstring: "unless disabled with snd_midi_event_no_status".'
 *   after a reset the status is written: 'snd_midi_event_reset_decode: no running status from before.'
 *   controllers of 14 bits are decoded: 'Docstring: the list of events.'
 *   parameters are decoded: 'Docstring: the list of events.'
 *   no event is -ENOENT: 'Docstring: "-ENOENT: The event does not correspond to [...] MIDI messages".'
 *   an event that is no message is -ENOENT: 'The same.'
 *   a system exclusive event of fixed length is -EINVAL: 'Docstring: "-EINVAL: not a valid sequencer event".'
 *   too little room is -ENOMEM: 'Docstring: "-ENOMEM: would not fit into count bytes".'
 *   too little room for a system exclusive message is -ENOMEM: 'The same.'
 *   just enough room is enough: 'The same.'
 *   nothing is written behind the message: 'Docstring: "The number of bytes written to buf".'
 *   nothing is written behind the room: 'Docstring: "Number of bytes in buf".'
 *   the event is left as it is: 'Docstring: ev is [in].'
 *   parsers do not share their status: 'Docstring: dev.'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static snd_midi_event_t *dev;
static snd_seq_event_t ev;
static unsigned char out[64];
static long length;
static int behind;

static void start(void)
{
    if (dev)
        snd_midi_event_free(dev);
    snd_midi_event_new(64, &dev);
    snd_seq_ev_clear(&ev);
    snd_seq_ev_set_fixed(&ev);
}

static long decode(long count)
{
    int j;

    memset(out, 0xEE, sizeof(out));
    length = snd_midi_event_decode(dev, out, count, &ev);
    for (j = count; j < (int)sizeof(out); j++)
        behind += out[j] != 0xEE;
    return length;
}

/* Whether the first event of a new parser becomes exactly these bytes. */
static int becomes(const char *bytes, long count)
{
    snd_midi_event_reset_decode(dev);
    return decode(12) == count && memcmp(out, bytes, count) == 0 && out[count] == 0xEE;
}

/* What a receiver with running status makes of the bytes: a message of one or two data bytes. */
static int status;

static int receives(int expected, const char *data, int count)
{
    long at = 0;

    if (length < 1)
        return 0;
    if (out[0] & 0x80)
        status = out[at++];
    return status == expected && length - at == count && memcmp(out + at, data, count) == 0;
}

static void control(int type, int channel, int param, int value)
{
    ev.type = type;
    ev.data.control.channel = channel;
    ev.data.control.param = param;
    ev.data.control.value = value;
}

static void exclusive(char *bytes, unsigned size)
{
    snd_seq_ev_set_sysex(&ev, size, bytes);
}

/* Whether there are so many controller messages on the channel, of these controllers in pairs of any order. */
static int pairs(int channel, const int *controllers, const int *values, int count)
{
    int seen[10] = {0}, j, k, n = 0, s = 0;

    for (j = 0; j < length; n++) {
        if (out[j] & 0x80)
            s = out[j++];
        if (s != (0xb0 | channel) || j + 2 > length || n >= count)
            return 0;
        for (k = n / 2 * 2; k < n / 2 * 2 + 2; k++)
            if (out[j] == controllers[k] && out[j + 1] == values[k])
                seen[k]++;
        j += 2;
    }
    for (k = 0; k < count; k++)
        if (seen[k] != 1)
            return 0;
    return n == count;
}

int main(void)
{
    static char text[] = "\xf0\x7e\x7f\x09\x02\x01\x02\x03\x04\x05\x06\x07\x08\xf7";
    static const int real_time[] = {SND_SEQ_EVENT_CLOCK, SND_SEQ_EVENT_START, SND_SEQ_EVENT_CONTINUE,
                                    SND_SEQ_EVENT_STOP, SND_SEQ_EVENT_SENSING, SND_SEQ_EVENT_RESET};
    static const char real_bytes[] = "\xf8\xfa\xfb\xfc\xfe\xff";
    const int odd[] = {SND_SEQ_EVENT_ECHO, SND_SEQ_EVENT_SYSTEM, SND_SEQ_EVENT_NOTE, SND_SEQ_EVENT_TEMPO,
                       SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_USR0, SND_SEQ_EVENT_BOUNCE};
    snd_midi_event_t *first;
    snd_seq_event_t copy;
    char bytes[4];
    int good, exact, j, full;

    snd_lib_error_set_handler(quiet);
    start();
    snd_seq_ev_set_noteon(&ev, 3, 0x3c, 0x40);
    good = becomes("\x93\x3c\x40", 3);
    exact = length == 3;
    snd_seq_ev_set_noteoff(&ev, 4, 1, 2);
    good = good && becomes("\x84\x01\x02", 3);
    snd_seq_ev_set_keypress(&ev, 5, 127, 0);
    check("notes and key pressure are decoded", good && becomes("\xa5\x7f\x00", 3));
    snd_seq_ev_set_controller(&ev, 6, 7, 99);
    check("controllers are decoded", becomes("\xb6\x07\x63", 3));
    snd_seq_ev_set_pgmchange(&ev, 7, 0x11);
    good = becomes("\xc7\x11", 2);
    snd_seq_ev_set_chanpress(&ev, 8, 0x12);
    check("program changes and channel pressure are decoded", good && becomes("\xd8\x12", 2));
    snd_seq_ev_set_pitchbend(&ev, 9, -8192);
    good = becomes("\xe9\x00\x00", 3);
    snd_seq_ev_set_pitchbend(&ev, 9, 8191);
    good = good && becomes("\xe9\x7f\x7f", 3);
    snd_seq_ev_set_pitchbend(&ev, 9, 0);
    good = good && becomes("\xe9\x00\x40", 3);
    snd_seq_ev_set_pitchbend(&ev, 9, 1);
    check("pitch bends are decoded", good && becomes("\xe9\x01\x40", 3));
    for (good = 1, j = 0; j < 16; j++) {
        snd_seq_ev_set_noteon(&ev, j, 10, 20);
        sprintf(bytes, "%c\x0a\x14", 0x90 | j);
        good = good && becomes(bytes, 3);
        snd_seq_ev_set_pgmchange(&ev, j, 10);
        sprintf(bytes, "%c\x0a", 0xc0 | j);
        good = good && becomes(bytes, 2);
    }
    check("each channel is decoded", good);
    snd_seq_ev_set_noteon(&ev, 1, 200, 255);
    snd_midi_event_reset_decode(dev);
    good = decode(12) == 3 && out[0] == 0x91 && !((out[1] | out[2]) & 0x80);
    control(SND_SEQ_EVENT_CONTROLLER, 1, 255, 1000);
    good = good && decode(12) > 1 && !((out[length - 1] | out[length - 2]) & 0x80);
    check("data bytes never look like a status", good);

    start();
    control(SND_SEQ_EVENT_QFRAME, 0, 0, 0x11);
    good = becomes("\xf1\x11", 2) && decode(12) == 2 && out[0] == 0xf1;
    full = good;
    control(SND_SEQ_EVENT_SONGPOS, 0, 0, 0x1234);
    good = good && becomes("\xf2\x34\x24", 3);
    full = full && decode(12) == 3 && out[0] == 0xf2;
    control(SND_SEQ_EVENT_SONGSEL, 0, 0, 0x12);
    good = good && becomes("\xf3\x12", 2);
    full = full && decode(12) == 2 && out[0] == 0xf3;
    ev.type = SND_SEQ_EVENT_TUNE_REQUEST;
    good = good && becomes("\xf6", 1);
    full = full && decode(12) == 1 && out[0] == 0xf6;
    check("system common messages are decoded", good);
    check("system common messages always have their status", full);
    for (good = 1, j = 0; j < 6; j++) {
        ev.type = real_time[j];
        good = good && becomes(real_bytes + j, 1) && decode(12) == 1 && out[0] == (unsigned char)real_bytes[j];
    }
    check("real time messages are one byte", good);
    start();
    exclusive(text, 14);
    good = decode(20) == 14 && memcmp(out, text, 14) == 0 && out[14] == 0xEE && decode(20) == 14;
    exclusive(text, 3);
    check("a system exclusive message is copied",
          good && decode(20) == 3 && memcmp(out, text, 3) == 0 && out[3] == 0xEE);
    start();
    snd_seq_ev_set_pgmchange(&ev, 0, 0x11);
    decode(12);
    exclusive(text, 14);
    decode(20);
    snd_seq_ev_set_fixed(&ev);
    snd_seq_ev_set_pgmchange(&ev, 0, 0x11);
    check("after a system exclusive message the status is written",
          decode(12) == 2 && out[0] == 0xc0 && out[1] == 0x11);

    start();
    for (good = 1, status = j = 0; j < 200; j++) {
        int channel = j / 3 % 2, type = j / 5 % 3;

        if (type == 0)
            snd_seq_ev_set_noteon(&ev, channel, j % 128, 1);
        else if (type == 1)
            snd_seq_ev_set_noteoff(&ev, channel, j % 128, 1);
        else
            snd_seq_ev_set_controller(&ev, channel, j % 32, 1);
        decode(12);
        bytes[0] = type == 2 ? j % 32 : j % 128;
        bytes[1] = 1;
        good = good && receives((type == 0 ? 0x90 : type == 1 ? 0x80 : 0xb0) | channel, bytes, 2);
    }
    control(SND_SEQ_EVENT_REGPARAM, 5, 1, 2);
    decode(12);
    status = 0xb5;
    snd_seq_ev_set_noteon(&ev, 5, 1, 2);
    decode(12);
    good = good && receives(0x95, "\x01\x02", 2);
    snd_seq_ev_set_controller(&ev, 5, 7, 2);
    decode(12);
    good = good && receives(0xb5, "\x07\x02", 2);
    check("the stream stays readable over many events", good);
    start();
    snd_seq_ev_set_noteon(&ev, 1, 2, 3);
    good = decode(12) == 3;
    snd_seq_ev_set_noteon(&ev, 2, 2, 3);
    check("the same status on another channel is written", good && decode(12) == 3 && out[0] == 0x92);
    start();
    snd_midi_event_no_status(dev, 1);
    snd_seq_ev_set_noteon(&ev, 1, 2, 3);
    good = decode(12) == 3 && decode(12) == 3 && out[0] == 0x91 && out[1] == 2 && out[2] == 3;
    snd_seq_ev_set_chanpress(&ev, 1, 5);
    check("without merging each status is written", good && decode(12) == 2 && decode(12) == 2 && out[0] == 0xd1);
    start();
    snd_seq_ev_set_noteon(&ev, 1, 2, 3);
    decode(12);
    decode(12);
    snd_midi_event_reset_decode(dev);
    check("after a reset the status is written", decode(12) == 3 && out[0] == 0x91);
    start();
    control(SND_SEQ_EVENT_CONTROL14, 6, 7, 0x888);
    good = decode(12) > 0 && pairs(6, (int[]){7, 39}, (int[]){0x11, 8}, 2);
    check("controllers of 14 bits are decoded", good);
    start();
    control(SND_SEQ_EVENT_NONREGPARAM, 9, 0xaaa, 0xbbb);
    good = decode(12) > 0 && pairs(9, (int[]){99, 98, 6, 38}, (int[]){0x15, 0x2a, 0x17, 0x3b}, 4);
    start();
    control(SND_SEQ_EVENT_REGPARAM, 12, 0xddd, 0xeee);
    good = good && decode(12) > 0 && pairs(12, (int[]){101, 100, 6, 38}, (int[]){0x1b, 0x5d, 0x1d, 0x6e}, 4);
    check("parameters are decoded", good);

    start();
    ev.type = SND_SEQ_EVENT_NONE;
    check("no event is -ENOENT", decode(12) == -ENOENT);
    for (good = 1, j = 0; j < 7; j++) {
        ev.type = odd[j];
        good = good && decode(12) == -ENOENT;
    }
    check("an event that is no message is -ENOENT", good);
    exclusive(text, 14);
    snd_seq_ev_set_fixed(&ev);
    check("a system exclusive event of fixed length is -EINVAL", decode(20) == -EINVAL);
    for (good = 1, j = 0; j < 3; j++) {
        start();
        snd_seq_ev_set_noteon(&ev, 1, 2, 3);
        good = good && decode(j) == -ENOMEM;
        start();
        snd_seq_ev_set_pgmchange(&ev, 1, 2);
        good = good && decode(j) == (j < 2 ? -ENOMEM : 2);
        start();
        ev.type = SND_SEQ_EVENT_CLOCK;
        good = good && decode(j) == (j < 1 ? -ENOMEM : 1);
        start();
        control(SND_SEQ_EVENT_SONGPOS, 0, 0, 5);
        good = good && decode(j) == -ENOMEM;
        start();
        control(SND_SEQ_EVENT_REGPARAM, 0, 0, 5);
        good = good && decode(j) == -ENOMEM;
    }
    check("too little room is -ENOMEM", good);
    start();
    exclusive(text, 14);
    good = decode(13) == -ENOMEM && decode(0) == -ENOMEM && decode(3) == -ENOMEM;
    check("too little room for a system exclusive message is -ENOMEM", good);
    good = decode(14) == 14;
    start();
    snd_seq_ev_set_noteon(&ev, 1, 2, 3);
    check("just enough room is enough", good && decode(3) == 3);
    check("nothing is written behind the message", exact && becomes("\x91\x02\x03", 3));
    check("nothing is written behind the room", behind == 0);
    copy = ev;
    decode(12);
    decode(12);
    good = memcmp(&copy, &ev, sizeof(ev)) == 0;
    exclusive(text, 14);
    copy = ev;
    decode(20);
    check("the event is left as it is", good && memcmp(&copy, &ev, sizeof(ev)) == 0 && text[13] == (char)0xf7);
    start();
    snd_seq_ev_set_noteon(&ev, 1, 2, 3);
    decode(12);
    first = dev;
    dev = NULL;
    start();
    snd_seq_ev_set_noteon(&ev, 1, 2, 3);
    good = decode(12) == 3 && out[0] == 0x91;
    snd_midi_event_free(dev);
    snd_midi_event_free(first);
    check("parsers do not share their status", good);
    return checked();
}
