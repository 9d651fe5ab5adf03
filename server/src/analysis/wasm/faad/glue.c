/* The functions of faad.wasm that aac-decoder.ts calls. One instance of the module decodes one file. */
#include "neaacdec.h"

#define EXPORT(name) __attribute__((export_name(name)))

/* More than the longest frame: 6144 bits for each of 48 channels. */
#define INPUT_BYTES 65536

static NeAACDecHandle decoder;
static NeAACDecFrameInfo frame;
static unsigned char input_bytes[INPUT_BYTES];
static float *samples;

EXPORT("input_size") int input_size(void) { return INPUT_BYTES; }

/* Where the caller writes the AudioSpecificConfig for open, and each frame for decode. */
EXPORT("input") unsigned char *input(void) { return input_bytes; }

/* Starts a file whose AudioSpecificConfig of this length is in the input. Returns 0, or a negative number. */
EXPORT("open") int open_decoder(int length) {
  unsigned long rate;
  unsigned char channels;
  decoder = NeAACDecOpen();
  if (!decoder) return -1;
  NeAACDecConfigurationPtr configuration = NeAACDecGetCurrentConfiguration(decoder);
  configuration->outputFormat = FAAD_FMT_FLOAT;
  NeAACDecSetConfiguration(decoder, configuration);
  return NeAACDecInit2(decoder, input_bytes, length, &rate, &channels) < 0 ? -1 : 0;
}

/*
 * Decodes the frame of this length in the input. Returns the number of samples of all channels, interleaved, which is 0
 * for the first frame; negative for a frame that cannot be decoded.
 */
EXPORT("decode") int decode(int length) {
  samples = NeAACDecDecode(decoder, &frame, input_bytes, length);
  if (frame.error) return -(int)frame.error;
  return samples || frame.samples == 0 ? (int)frame.samples : -1;
}

/* The samples of the last frame. */
EXPORT("output") float *output(void) { return samples; }

EXPORT("channels") int channels(void) { return frame.channels; }

EXPORT("sample_rate") int sample_rate(void) { return (int)frame.samplerate; }
