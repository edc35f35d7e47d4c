/*---
 * tasks: [extra_decode_xrpn-37e92d]
 * tests:
 *   a registered parameter is decoded: 'seq_event.h: SND_SEQ_EVENT_REGPARAM; asoundef.h: controllers 100, 101, 6, 38.'
 *   a parameter that is not registered is decoded: 'seq_event.h: NONREGPARAM; controllers 98, 99, 6, 38.'
 *   parameter and value have 14 bits: 'seq_event.h: "14 bit" parameters; each data byte has 7 bits.'
 *   each bit of the parameter is sent: 'The same.'
 *   each bit of the value is sent: 'The same.'
 *   data bytes never look like a status: 'MIDI: a data byte is less than 128.'
 *   each channel is sent: 'seq_event.h: "MIDI channel number".'
 *   the number of bytes is returned: 'snd_midi_event_decode: "The number of bytes written to buf".'
 *   the first message has its status: 'snd_midi_event_no_status: only an identical status is omitted.'
 *   a status of another channel is not left out: 'The same.'
 *   a status of another message is not left out: 'The same.'
 *   what follows it can be read: 'The same; the status that was written last is the previous one.'
 *   it can follow a controller of its channel: 'The same.'
 *   after a reset the status is written: 'snd_midi_event_reset_decode: no running status from before.'
 *   without merging each status is written: 'snd_midi_event_no_status: "1 to always write the command byte".'
 *   without merging a repeated event has each status: 'The same.'
 *   merging can be enabled again: 'snd_midi_event_no_status: "0 to enable"; the stream stays readable.'
 *   twelve bytes are always enough: 'snd_midi_event_decode: "at most 12 bytes".'
 *   too little room is -ENOMEM: 'snd_midi_event_decode: "-ENOMEM: [...] would not fit into count bytes".'
 *   too little room for the status is -ENOMEM: 'The same; nine bytes are the least for a first message.'
 *   too little room without merging is -ENOMEM: 'The same; twelve bytes are the least.'
 *   nothing is written behind the room: 'snd_midi_event_decode: count is the size of buf.'
 *   a try without room does not count as a written status: 'What was not written is no previous status.'
 *   the event is left as it is: 'const snd_seq_event_t *ev.'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static snd_midi_event_t *dev;
static snd_seq_event_t ev;
static unsigned char out[64];
static long length;

/* What a receiver has understood: running status goes on over several calls. */
static int status, messages, statuses, confused;
static unsigned char got[20][3];

static void receive(void)
{
    long j = 0;

    messages = statuses = 0;
    while (j < length) {
        if (out[j] & 0x80) {
            status = out[j++];
            statuses++;
        }
        if (status == 0 || j + 2 > length || (out[j] & 0x80) || (out[j + 1] & 0x80) || messages == 20) {
            confused = 1;
            return;
        }
        got[messages][0] = status;
        got[messages][1] = out[j++];
        got[messages++][2] = out[j++];
    }
}

static long decode(long count)
{
    memset(out, 0xEE, sizeof(out));
    length = snd_midi_event_decode(dev, out, count, &ev);
    return length;
}

static void start(void)
{
    if (dev)
        snd_midi_event_free(dev);
    dev = NULL;
    snd_midi_event_new(64, &dev);
    status = confused = 0;
}

static void set(int type, int channel, unsigned parameter, int value)
{
    snd_seq_ev_clear(&ev);
    snd_seq_ev_set_fixed(&ev);
    ev.type = type;
    ev.data.control.channel = channel;
    ev.data.control.param = parameter;
    ev.data.control.value = value;
}

/* Two messages of one channel for the two halves of a number, in any order. */
static int pair(int first, int channel, int high, int low, int number)
{
    int a = got[first][1] == high ? first : first + 1, b = 2 * first + 1 - a;

    return got[a][0] == (0xb0 | channel) && got[b][0] == (0xb0 | channel) && got[a][1] == high && got[b][1] == low &&
           got[a][2] == (number >> 7 & 127) && got[b][2] == (number & 127);
}

/* Sends it into this room and looks at what a receiver makes of it: first the parameter, then its value. */
static int sends(int type, int channel, int parameter, int value, long count)
{
    int registered = type == SND_SEQ_EVENT_REGPARAM;

    set(type, channel, parameter, value);
    if (decode(count) <= 0 || length > count)
        return 0;
    receive();
    return !confused && messages == 4 && pair(0, channel, registered ? 101 : 99, registered ? 100 : 98, parameter) &&
           pair(2, channel, 6, 38, value);
}

static int controls(int channel, int controller, int value)
{
    set(SND_SEQ_EVENT_CONTROLLER, channel, controller, value);
    decode(3);
    receive();
    return !confused && messages == 1 && got[0][0] == (0xb0 | channel) &&
           got[0][1] == controller && got[0][2] == value;
}

#define RPN SND_SEQ_EVENT_REGPARAM
#define NRPN SND_SEQ_EVENT_NONREGPARAM

int main(void)
{
    snd_seq_event_t copy;
    int j, good, rest;

    snd_lib_error_set_handler(quiet);
    start();
    good = sends(RPN, 12, 0xddd, 0xeee, 12);
    check("a registered parameter is decoded", good);
    check("the number of bytes is returned", good && out[length] == 0xEE && out[length - 1] != 0xEE && length >= 9);
    check("the first message has its status", good && out[0] == 0xbc);
    start();
    check("a parameter that is not registered is decoded", sends(NRPN, 9, 0xaaa, 0xbbb, 12));
    start();
    check("parameter and value have 14 bits", sends(RPN, 0, 0x3fff, 0x3fff, 12) && sends(NRPN, 0, 0x3fff, 0, 12) &&
          sends(NRPN, 0, 0, 0x3fff, 12) && sends(RPN, 0, 0, 0, 12));
    for (good = 1, j = 0; j < 14; j++)
        good = good && sends(RPN, 1, 1 << j, 0, 12) && sends(NRPN, 1, 1 << j, 0x1555, 12);
    check("each bit of the parameter is sent", good);
    for (good = 1, j = 0; j < 14; j++)
        good = good && sends(RPN, 1, 0, 1 << j, 12) && sends(NRPN, 1, 0x2aaa, 1 << j, 12);
    check("each bit of the value is sent", good);
    start();
    set(RPN, 3, 0xffff, 0xffff);
    good = decode(12) > 0;
    receive();
    good = good && !confused && messages == 4;
    set(NRPN, 3, 0xffffffff, -1);
    good = good && decode(12) > 0;
    receive();
    check("data bytes never look like a status", good && !confused && messages == 4);
    start();
    for (good = 1, j = 0; j < 16; j++)
        good = good && sends(NRPN, j, 1000 + j, 2000 + j, 12) && sends(RPN, j, 300, 400, 12);
    check("each channel is sent", good);
    check("a status of another channel is not left out", good && sends(RPN, 3, 1, 2, 12) && out[0] == 0xb3 &&
          sends(RPN, 4, 1, 2, 12) && out[0] == 0xb4 && sends(NRPN, 3, 1, 2, 12) && out[0] == 0xb3);
    snd_seq_ev_clear(&ev);
    snd_seq_ev_set_noteon(&ev, 3, 60, 64);
    decode(3);
    receive();
    good = !confused && messages == 1 && sends(RPN, 3, 5, 6, 12) && out[0] == 0xb3;
    snd_seq_ev_clear(&ev);
    snd_seq_ev_set_noteon(&ev, 3, 60, 64);
    decode(3);
    receive();
    check("a status of another message is not left out", good && !confused && messages == 1 && got[0][0] == 0x93);
    start();
    good = sends(NRPN, 5, 700, 800, 12) && controls(5, 7, 99) && sends(NRPN, 5, 700, 800, 12) && controls(6, 7, 98) &&
           controls(5, 7, 97) && sends(RPN, 5, 700, 800, 12) && sends(RPN, 5, 701, 801, 12);
    check("what follows it can be read", good);
    start();
    check("it can follow a controller of its channel", controls(5, 7, 99) && sends(NRPN, 5, 1, 2, 12) &&
          controls(4, 7, 99) && sends(RPN, 5, 1, 2, 12) && out[0] == 0xb5);
    snd_midi_event_reset_decode(dev);
    check("after a reset the status is written", sends(RPN, 5, 1, 2, 12) && out[0] == 0xb5);

    start();
    snd_midi_event_no_status(dev, 1);
    good = sends(RPN, 7, 1234, 5678, 12) && length == 12 && statuses == 4;
    check("without merging each status is written", good);
    good = sends(RPN, 7, 1234, 5678, 12) && length == 12 && statuses == 4 && sends(NRPN, 7, 1, 2, 12) &&
           length == 12 && statuses == 4;
    check("without merging a repeated event has each status", good);
    snd_midi_event_no_status(dev, 0);
    good = sends(RPN, 7, 1, 2, 12) && controls(7, 7, 7) && sends(RPN, 8, 3, 4, 12) && out[0] == 0xb8;
    good = good && controls(2, 7, 7);
    snd_midi_event_no_status(dev, 1);
    good = good && sends(NRPN, 7, 1, 2, 12);
    snd_midi_event_no_status(dev, 0);
    good = good && controls(2, 7, 8);
    check("merging can be enabled again", good);

    start();
    good = sends(RPN, 1, 1, 2, 12) && sends(RPN, 1, 1, 2, 12) && sends(NRPN, 2, 1, 2, 12);
    snd_midi_event_no_status(dev, 1);
    check("twelve bytes are always enough", good && sends(NRPN, 2, 1, 2, 12) && sends(RPN, 3, 1, 2, 12));
    start();
    good = rest = 1;
    set(RPN, 1, 1, 2);
    for (j = 0; j < 8; j++) {
        good = good && decode(j) == -ENOMEM;
        rest = rest && out[j] == 0xEE && out[8] == 0xEE;
    }
    check("too little room is -ENOMEM", good);
    good = decode(8) == -ENOMEM;
    rest = rest && out[8] == 0xEE;
    check("too little room for the status is -ENOMEM", good);
    good = sends(RPN, 1, 1, 2, 12) && out[0] == 0xb1;
    set(RPN, 2, 1, 2);
    good = good && decode(8) == -ENOMEM && decode(4) == -ENOMEM && sends(RPN, 2, 1, 2, 12) && out[0] == 0xb2;
    check("a try without room does not count as a written status", good);
    start();
    snd_midi_event_no_status(dev, 1);
    set(NRPN, 1, 1, 2);
    for (good = 1, j = 0; j < 12; j++) {
        good = good && decode(j) == -ENOMEM;
        rest = rest && out[j] == 0xEE && out[12] == 0xEE;
    }
    check("too little room without merging is -ENOMEM", good);
    check("nothing is written behind the room", rest);
    set(NRPN, 1, 0x1234, 0x2345);
    copy = ev;
    decode(12);
    check("the event is left as it is", memcmp(&copy, &ev, sizeof(ev)) == 0);
    snd_midi_event_free(dev);
    return checked();
}
