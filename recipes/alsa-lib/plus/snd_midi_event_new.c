/*---
 * tasks: [snd_midi_event_new-58c7d5]
 * tests:
 *   a success is 0 and gives a parser: 'Docstring: "Zero on success"; "The new MIDI event parser".'
 *   a message is encoded: 'Docstring: "convert a MIDI byte stream to sequencer events".'
 *   running status is encoded: 'snd_midi_event_reset_encode speaks of its running status.'
 *   data bytes before the first status are ignored: 'snd_midi_event_encode: bytes of no valid message are ignored.'
 *   a new parser holds no part of a message: 'Docstring: "creates and initializes".'
 *   an event is decoded: 'Docstring: "convert sequencer events to a MIDI byte stream".'
 *   the first decoded message of each kind has its status: 'Docstring: "initializes"; there is no previous status.'
 *   a repeated status may be left out: 'snd_midi_event_no_status: merging is not disabled before it is called.'
 *   it is as after a reset: 'Docstring: "initializes"; snd_midi_event_init.'
 *   a long message is split where the buffer ends: 'Docstring: "Size of the buffer used for encoding"; encode: split.'
 *   a message as large as the buffer is not split: 'Docstring: "large enough to hold the largest MIDI message".'
 *   buffers of many sizes hold what they should: 'Docstring: "Size of the buffer used for encoding".'
 *   a parser for decoding needs no buffer: 'Docstring: bufsize is for encoding; "and/or"; size 0 is no error.'
 *   a parser without a buffer can be given one: 'snd_midi_event_resize_buffer: "resizes the buffer".'
 *   the buffer can be resized to its own size: 'snd_midi_event_resize_buffer: "Zero on success".'
 *   two parsers are apart: 'Docstring: "The new MIDI event parser".'
 *   what is in the handle before does not matter: 'Docstring: rdev is [out].'
 *   freeing the parser frees all: 'snd_midi_event_free: "Frees a MIDI event parser".'
 *   without memory -ENOMEM is returned: 'Docstring: "-ENOMEM: Out of memory".'
 *   without memory for the buffer alone -ENOMEM is returned: 'Docstring: "-ENOMEM: Out of memory".'
 *   an impossible size is out of memory: 'Docstring: "-ENOMEM: Out of memory".'
 *   without memory nothing is left behind: 'Docstring: the parser is given on success.'
 ---*/
#include "plus.h"
#include <alsa/asoundlib.h>

static snd_midi_event_t *dev;
static snd_seq_event_t ev;

static int make(size_t size)
{
    dev = NULL;
    snd_seq_ev_clear(&ev);
    return snd_midi_event_new(size, &dev) == 0 && dev != NULL;
}

static long encode(const char *bytes, long count)
{
    snd_seq_ev_clear(&ev);
    return snd_midi_event_encode(dev, (const unsigned char *)bytes, count, &ev);
}

/* Whether the event becomes exactly these bytes. */
static int decodes(const char *bytes, long count)
{
    unsigned char out[64];

    memset(out, 0x55, sizeof(out));
    return snd_midi_event_decode(dev, out, sizeof(out), &ev) == count && memcmp(out, bytes, count) == 0 &&
           out[count] == 0x55;
}

static int is_note(int type, int channel, int note, int velocity)
{
    return ev.type == type && ev.data.note.channel == channel && ev.data.note.note == note &&
           ev.data.note.velocity == velocity;
}

static int is_sysex(const char *bytes, unsigned size)
{
    return ev.type == SND_SEQ_EVENT_SYSEX && ev.data.ext.len == size && memcmp(ev.data.ext.ptr, bytes, size) == 0;
}

/* Sends a long message to a parser with a buffer of this size, and looks at its parts. */
static int splits(size_t size)
{
    unsigned char message[200];
    size_t sent = 0, done = 0;
    int j, good = make(size);

    message[0] = 0xf0;
    for (j = 1; j < 199; j++)
        message[j] = j % 128;
    message[199] = 0xf7;
    while (good && done < sizeof(message)) {
        size_t part = sizeof(message) - done < size ? sizeof(message) - done : size;
        long n = encode((char *)message + sent, sizeof(message) - sent);

        good = n > 0 && is_sysex((char *)message + done, part);
        sent += n;
        done += part;
    }
    snd_midi_event_free(dev);
    return good && sent == sizeof(message);
}

int main(void)
{
    snd_midi_event_t *other;
    int j, k, good, clean, err;
    char bytes[4];
    long live;

    snd_lib_error_set_handler(quiet);
    live = plus_live;
    good = make(256);
    check("a success is 0 and gives a parser", good);
    check("a message is encoded", encode("\x93\x3c\x40", 3) == 3 && is_note(SND_SEQ_EVENT_NOTEON, 3, 0x3c, 0x40));
    check("running status is encoded", encode("\x3d\x41", 2) == 2 && is_note(SND_SEQ_EVENT_NOTEON, 3, 0x3d, 0x41));
    snd_midi_event_free(dev);

    good = make(32) && encode("\x10\x20\x30\x40\x50", 5) == 5 && ev.type == SND_SEQ_EVENT_NONE;
    good = good && encode("\x81\x22\x33", 3) == 3 && is_note(SND_SEQ_EVENT_NOTEOFF, 1, 0x22, 0x33);
    snd_midi_event_free(dev);
    check("data bytes before the first status are ignored", good);
    good = 1;
    for (j = 1; j < 4 && good; j++) {
        good = make(32) && encode("\x11\x12\x13", j) == j && ev.type == SND_SEQ_EVENT_NONE;
        snd_midi_event_free(dev);
    }
    good = good && make(32) && encode("\xf7", 1) == 1 && ev.type == SND_SEQ_EVENT_NONE;
    snd_midi_event_free(dev);
    check("a new parser holds no part of a message", good);

    good = make(32);
    snd_seq_ev_set_controller(&ev, 2, 7, 99);
    check("an event is decoded", good && decodes("\xb2\x07\x63", 3));
    snd_midi_event_free(dev);
    good = 1;
    for (j = 0; j < 16; j++)
        for (k = 0; k < 7; k++) {
            good = good && make(16);
            switch (k) {
            case 0: snd_seq_ev_set_noteoff(&ev, j, 1, 2); break;
            case 1: snd_seq_ev_set_noteon(&ev, j, 1, 2); break;
            case 2: snd_seq_ev_set_keypress(&ev, j, 1, 2); break;
            case 3: snd_seq_ev_set_controller(&ev, j, 1, 2); break;
            case 4: snd_seq_ev_set_pgmchange(&ev, j, 1); break;
            case 5: snd_seq_ev_set_chanpress(&ev, j, 1); break;
            case 6: snd_seq_ev_set_pitchbend(&ev, j, 257 - 8192); break;
            }
            bytes[0] = 0x80 | k << 4 | j;
            bytes[1] = 1;
            bytes[2] = 2;
            good = good && decodes(bytes, k == 4 || k == 5 ? 2 : 3);
            snd_midi_event_free(dev);
        }
    check("the first decoded message of each kind has its status", good);
    good = make(16);
    snd_seq_ev_set_noteon(&ev, 5, 60, 64);
    good = good && decodes("\x95\x3c\x40", 3) && decodes("\x3c\x40", 2);
    check("a repeated status may be left out", good);
    snd_midi_event_init(dev);
    good = good && decodes("\x95\x3c\x40", 3) && encode("\x11\x12", 2) == 2 && ev.type == SND_SEQ_EVENT_NONE;
    snd_midi_event_free(dev);
    check("it is as after a reset", good);

    check("a long message is split where the buffer ends", splits(8) && splits(20));
    good = make(8) && encode("\xf0\x01\x02\x03\x04\x05\x06\xf7", 8) == 8 &&
           is_sysex("\xf0\x01\x02\x03\x04\x05\x06\xf7", 8);
    good = good && encode("\xc1\x07", 2) == 2 && ev.type == SND_SEQ_EVENT_PGMCHANGE && ev.data.control.value == 7;
    snd_midi_event_free(dev);
    check("a message as large as the buffer is not split", good);
    good = 1;
    for (j = 3; j < 205 && good; j += j < 10 ? 1 : 13)
        good = splits(j);
    check("buffers of many sizes hold what they should", good && splits(199) && splits(200) && splits(201) &&
          splits(65536) && plus_bad == 0);

    good = make(0);
    snd_seq_ev_set_pgmchange(&ev, 4, 9);
    good = good && decodes("\xc4\x09", 2);
    check("a parser for decoding needs no buffer", good);
    good = good && snd_midi_event_resize_buffer(dev, 16) == 0 && encode("\x91\x01\x02", 3) == 3 &&
           is_note(SND_SEQ_EVENT_NOTEON, 1, 1, 2);
    snd_midi_event_free(dev);
    check("a parser without a buffer can be given one", good);
    good = make(16) && snd_midi_event_resize_buffer(dev, 16) == 0 && encode("\x91\x01\x02", 3) == 3 &&
           is_note(SND_SEQ_EVENT_NOTEON, 1, 1, 2) && snd_midi_event_resize_buffer(dev, 8) == 0 &&
           encode("\x92\x01\x02", 3) == 3 && is_note(SND_SEQ_EVENT_NOTEON, 2, 1, 2);
    snd_midi_event_free(dev);
    check("the buffer can be resized to its own size", good);
    good = make(16);
    other = dev;
    good = good && encode("\x91\x01", 2) == 2 && ev.type == SND_SEQ_EVENT_NONE && make(16) && dev != other &&
           encode("\x02", 1) == 1 && ev.type == SND_SEQ_EVENT_NONE;
    snd_midi_event_free(dev);
    dev = other;
    good = good && encode("\x02", 1) == 1 && is_note(SND_SEQ_EVENT_NOTEON, 1, 1, 2);
    snd_midi_event_free(dev);
    check("two parsers are apart", good);
    dev = (snd_midi_event_t *)0x10;
    good = snd_midi_event_new(16, &dev) == 0 && dev != (snd_midi_event_t *)0x10 && encode("\xc1\x07", 2) == 2 &&
           ev.type == SND_SEQ_EVENT_PGMCHANGE;
    snd_midi_event_free(dev);
    check("what is in the handle before does not matter", good);
    check("freeing the parser frees all", plus_live == live && plus_bad == 0);

    good = clean = 1;
    for (j = 0; j < 100; j++) {
        if (j % 2)
            refuse_once(j / 2);
        else
            refuse_after(j / 2);
        err = snd_midi_event_new(64, &dev);
        refuse_none();
        if (err >= 0) {
            good = good && err == 0;
            snd_midi_event_free(dev);
            if (plus_refused == 0)
                break;
            good = 0;
        } else
            good = good && err == -ENOMEM;
        clean = clean && plus_live == live;
    }
    check("without memory -ENOMEM is returned", good && j > 1 && j < 100);
    refuse_above(10000);
    err = snd_midi_event_new(20000, &dev);
    refuse_none();
    check("without memory for the buffer alone -ENOMEM is returned", err == -ENOMEM);
    clean = clean && plus_live == live;
    err = snd_midi_event_new(SIZE_MAX, &dev);
    good = err == -ENOMEM;
    err = snd_midi_event_new(SIZE_MAX / 2 + 1, &dev);
    check("an impossible size is out of memory", good && err == -ENOMEM);
    check("without memory nothing is left behind", clean && plus_live == live && plus_bad == 0);
    return checked();
}
