/*---
 * tasks: [snd_midi_event_encode-14d8ad]
 * tests:
 *   a whole message gives its event: 'Docstring: "If a complete MIDI message has been encoded, the event is written".'
 *   the number of consumed bytes is returned: 'Docstring: "The number of bytes consumed".'
 *   it stops at the end of the first message: 'Docstring: "to encode a sequencer event".'
 *   the rest gives the next event: 'The same.'
 *   a part of a message gives no event: 'Docstring: "otherwise, ev->type is set to SND_SEQ_EVENT_NONE".'
 *   a part of a message is consumed: 'Docstring: the parser holds "bytes of a not-yet-complete MIDI message".'
 *   further bytes complete the message: 'Docstring: "further bytes are required to complete a message".'
 *   single bytes give the same events: 'The same.'
 *   no bytes are no event: 'Docstring: "up to count bytes"; otherwise NONE.'
 *   an earlier event does not stay: 'Docstring: "otherwise, ev->type is set to SND_SEQ_EVENT_NONE".'
 *   running status is understood: 'snd_midi_event_reset_encode: running status state.'
 *   bytes of no message are consumed without an error: 'Docstring: "silently ignored".'
 *   a message after such bytes is found: 'The same.'
 *   a real time message within another is given at once: 'Docstring: it can generate CLOCK and the like; MIDI.'
 *   the message around it is completed later: 'The same.'
 *   each message of the list is encoded: 'Docstring: the list of events.'
 *   a system exclusive message is given: 'Docstring: "data pointer points into the buffer".'
 *   a long system exclusive message is given in parts: 'Docstring: "an event is returned at the end of each part".'
 *   each part ends the call: 'Docstring: "The number of bytes consumed"; an event at the end of each part.'
 *   no more than count bytes are read: 'Docstring: "Number of bytes in buf".'
 *   the bytes are left as they are: 'Docstring: buf is [in].'
 *   parsers do not share their state: 'Docstring: dev.'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static snd_midi_event_t *dev;
static snd_seq_event_t ev;

static long encode(const char *bytes, long count)
{
    memset(&ev, 0x77, sizeof(ev));
    return snd_midi_event_encode(dev, (const unsigned char *)bytes, count, &ev);
}

static int note(int type, int channel, int key, int velocity)
{
    return ev.type == type && ev.data.note.channel == channel && ev.data.note.note == key &&
           ev.data.note.velocity == velocity;
}

static int none(void)
{
    return ev.type == SND_SEQ_EVENT_NONE;
}

static int sysex(const char *bytes, unsigned size)
{
    return ev.type == SND_SEQ_EVENT_SYSEX && ev.data.ext.len == size && memcmp(ev.data.ext.ptr, bytes, size) == 0;
}

/* Whether the message is consumed and gives an event of this type. */
static int gives(const char *bytes, long count, int type)
{
    return encode(bytes, count) == count && ev.type == type;
}

static void start(size_t size)
{
    if (dev)
        snd_midi_event_free(dev);
    snd_midi_event_new(size, &dev);
}

#define ON SND_SEQ_EVENT_NOTEON

int main(void)
{
    const char *stream = "\x93\x3c\x40\x3d\x41\xc1\x07";
    const char *all = "\xf0\x01\x02\x03\x04\x05\x06\x07\x08\x09\xf7\x91\x01\x02";
    snd_midi_event_t *first;
    char bytes[20], *edge;
    long n, m;
    int good, j;

    snd_lib_error_set_handler(quiet);
    start(64);
    n = encode("\x93\x3c\x40", 3);
    check("a whole message gives its event", note(ON, 3, 0x3c, 0x40));
    m = encode("\xc2\x05", 2);
    check("the number of consumed bytes is returned", n == 3 && m == 2 && ev.type == SND_SEQ_EVENT_PGMCHANGE);
    start(64);
    n = encode("\x93\x3c\x40\x85\x01\x02\xc1\x07", 8);
    check("it stops at the end of the first message", n == 3 && note(ON, 3, 0x3c, 0x40));
    n = encode("\x85\x01\x02\xc1\x07", 5);
    good = n == 3 && note(SND_SEQ_EVENT_NOTEOFF, 5, 1, 2);
    n = encode("\xc1\x07", 2);
    check("the rest gives the next event", good && n == 2 && ev.type == SND_SEQ_EVENT_PGMCHANGE &&
          ev.data.control.channel == 1 && ev.data.control.value == 7);
    n = encode("\x93\x3c", 2);
    check("a part of a message gives no event", none());
    check("a part of a message is consumed", n == 2);
    n = encode("\x40\x50", 2);
    check("further bytes complete the message", n == 1 && note(ON, 3, 0x3c, 0x40));
    start(64);
    good = 1;
    for (j = 0; j < 7; j++) {
        good = good && encode(stream + j, 1) == 1;
        if (j == 2)
            good = good && note(ON, 3, 0x3c, 0x40);
        else if (j == 4)
            good = good && note(ON, 3, 0x3d, 0x41);
        else if (j == 6)
            good = good && ev.type == SND_SEQ_EVENT_PGMCHANGE;
        else
            good = good && none();
    }
    check("single bytes give the same events", good);
    good = encode("\xc1\x07", 0) == 0 && none();
    check("no bytes are no event", good && encode("\x93\x01", 2) == 2 && encode("\x02", 0) == 0 && none() &&
          encode("\x02", 1) == 1 && note(ON, 3, 1, 2));
    start(64);
    good = gives("\xc1\x07", 2, SND_SEQ_EVENT_PGMCHANGE);
    n = snd_midi_event_encode(dev, (const unsigned char *)"\x90", 1, &ev);
    check("an earlier event does not stay", good && n == 1 && none());
    start(64);
    good = encode("\x94\x01\x02\x03\x04\x05\x06", 7) == 3 && note(ON, 4, 1, 2) && encode("\x03\x04\x05\x06", 4) == 2 &&
           note(ON, 4, 3, 4) && encode("\x05\x06", 2) == 2 && note(ON, 4, 5, 6);
    check("running status is understood", good);
    start(64);
    good = encode("\x01\x02\x03\x04\x05\x06", 6) == 6 && none() && encode("\xf7", 1) == 1 && none();
    check("bytes of no message are consumed without an error", good);
    check("a message after such bytes is found", encode("\x01\x02\x03\x92\x05\x06", 6) == 6 && note(ON, 2, 5, 6));
    start(64);
    good = encode("\x92\x05\xf8\x06", 4) == 3 && ev.type == SND_SEQ_EVENT_CLOCK;
    check("a real time message within another is given at once", good);
    good = encode("\x06", 1) == 1 && note(ON, 2, 5, 6) && encode("\x92\xfe\x05\x06", 4) == 2 &&
           ev.type == SND_SEQ_EVENT_SENSING && encode("\x05\x06", 2) == 2 && note(ON, 2, 5, 6);
    check("the message around it is completed later", good);
    start(64);
    good = gives("\x81\x01\x02", 3, SND_SEQ_EVENT_NOTEOFF) && gives("\x91\x01\x02", 3, SND_SEQ_EVENT_NOTEON) &&
           gives("\xa1\x01\x02", 3, SND_SEQ_EVENT_KEYPRESS) && gives("\xc1\x01", 2, SND_SEQ_EVENT_PGMCHANGE) &&
           gives("\xd1\x01", 2, SND_SEQ_EVENT_CHANPRESS) && gives("\xe1\x01\x02", 3, SND_SEQ_EVENT_PITCHBEND) &&
           gives("\xb1\x07\x02", 3, SND_SEQ_EVENT_CONTROLLER) && gives("\xf0\x01\xf7", 3, SND_SEQ_EVENT_SYSEX) &&
           gives("\xf1\x01", 2, SND_SEQ_EVENT_QFRAME) && gives("\xf2\x01\x02", 3, SND_SEQ_EVENT_SONGPOS) &&
           gives("\xf3\x01", 2, SND_SEQ_EVENT_SONGSEL) && gives("\xf6", 1, SND_SEQ_EVENT_TUNE_REQUEST) &&
           gives("\xf8", 1, SND_SEQ_EVENT_CLOCK) && gives("\xfa", 1, SND_SEQ_EVENT_START) &&
           gives("\xfb", 1, SND_SEQ_EVENT_CONTINUE) && gives("\xfc", 1, SND_SEQ_EVENT_STOP) &&
           gives("\xfe", 1, SND_SEQ_EVENT_SENSING) && gives("\xff", 1, SND_SEQ_EVENT_RESET);
    check("each message of the list is encoded", good);
    start(64);
    good = encode(all, 14) == 11 && sysex(all, 11) && encode(all, 4) == 4 && none() && encode(all + 4, 7) == 7 &&
           sysex(all, 11);
    check("a system exclusive message is given", good);
    start(4);
    n = encode(all, 14);
    good = sysex(all, 4);
    check("each part ends the call", n == 4);
    good = good && encode(all + 4, 10) == 4 && sysex(all + 4, 4) && encode(all + 8, 6) == 3 && sysex(all + 8, 3) &&
           encode(all + 11, 3) == 3 && note(ON, 1, 1, 2);
    check("a long system exclusive message is given in parts", good);
    start(64);
    edge = at_edge("\x93\x3c", 2);
    good = encode(edge, 2) == 2 && none() && encode(at_edge("", 0), 0) == 0 && none();
    check("no more than count bytes are read", good && encode("\x40", 1) == 1 && note(ON, 3, 0x3c, 0x40));
    memcpy(bytes, all, 14);
    good = encode(bytes, 14) == 11 && memcmp(bytes, all, 14) == 0;
    check("the bytes are left as they are", good);
    start(64);
    good = encode("\x93\x3c", 2) == 2;
    first = dev;
    dev = NULL;
    start(64);
    good = good && encode("\x40\x41", 2) == 2 && none();
    snd_midi_event_free(dev);
    dev = first;
    check("parsers do not share their state", good && encode("\x40", 1) == 1 && note(ON, 3, 0x3c, 0x40));
    snd_midi_event_free(dev);
    return checked();
}
