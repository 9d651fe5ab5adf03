/* The functions of lame.wasm that lame-encoder.ts calls. One instance of the module encodes one file. */
#include <wasm_simd128.h>
#include "lame.h"

#define EXPORT(name) __attribute__((export_name(name)))

/* The most samples of each channel that one call of encode takes. */
#define BLOCK_SAMPLES 16384
/* The size that lame.h requires for one block: 1.25 × samples + 7200. */
#define OUTPUT_BYTES (BLOCK_SAMPLES * 5 / 4 + 7200)

static lame_t encoder;
static float channels[2][BLOCK_SAMPLES];
static unsigned char output_bytes[OUTPUT_BYTES];

EXPORT("block_samples") int block_samples(void) { return BLOCK_SAMPLES; }

/* Where the caller writes the samples of a channel, −1 to 1. */
EXPORT("input") float *input(int channel) { return channels[channel]; }

/* Where encode and finish write. */
EXPORT("output") unsigned char *output(void) { return output_bytes; }

/* Creates an encoder that keeps the sample rate of its input. Returns 0, or −1 without memory. */
static int create(int channel_count, int sample_rate) {
  encoder = lame_init();
  if (!encoder) return -1;
  lame_set_num_channels(encoder, channel_count);
  lame_set_mode(encoder, channel_count == 1 ? MONO : JOINT_STEREO);
  lame_set_in_samplerate(encoder, sample_rate);
  lame_set_out_samplerate(encoder, sample_rate);
  return 0;
}

/*
 * Starts a file at the same sample rate as its input. LAME chooses the noise of each frame as for variable bit rate
 * (vbr_quality is its -V, quality its -q), but every frame has the same bit rate, so that players seek exactly.
 * Returns 0, or a negative number when LAME rejects the settings.
 */
EXPORT("open") int open_encoder(int channel_count, int sample_rate, int kbps, int vbr_quality, int quality) {
  if (create(channel_count, sample_rate) < 0) return -1;
  lame_set_VBR(encoder, vbr_mtrh);
  lame_set_VBR_q(encoder, vbr_quality);
  lame_set_VBR_min_bitrate_kbps(encoder, kbps);
  lame_set_VBR_max_bitrate_kbps(encoder, kbps);
  lame_set_VBR_hard_min(encoder, 1);
  lame_set_quality(encoder, quality);
  /* LAME's own header would say that the bit rate varies. */
  lame_set_bWriteVbrTag(encoder, 0);
  return lame_init_params(encoder);
}

/*
 * Starts a file of constant bit rate for downloads, at the same sample rate as its input. It begins with LAME's own
 * header: finish it with info_frame. Returns 0, or a negative number when LAME rejects the settings.
 */
EXPORT("open_constant") int open_constant(int channel_count, int sample_rate, int kbps, int quality) {
  if (create(channel_count, sample_rate) < 0) return -1;
  lame_set_VBR(encoder, vbr_off);
  lame_set_brate(encoder, kbps);
  lame_set_quality(encoder, quality);
  lame_set_bWriteVbrTag(encoder, 1);
  return lame_init_params(encoder);
}

/*
 * Writes the header that replaces the first frame, with the encoder's delay and checksums. Call it after finish.
 * Returns the number of bytes in the output; 0 when there is none.
 */
EXPORT("info_frame") int info_frame(void) {
  const size_t bytes = lame_get_lametag_frame(encoder, output_bytes, OUTPUT_BYTES);
  return bytes > OUTPUT_BYTES ? 0 : (int)bytes;
}

/*
 * LAME reads beyond its tables when samples are very large, and a WAV of floats may hold any number. Limits them to
 * 12 dB above full scale; NaN becomes the limit. Intrinsics, because -ffast-math assumes that there is no NaN.
 */
static void limit_samples(float *samples, int count) {
  const v128_t highest = wasm_f32x4_splat(4), lowest = wasm_f32x4_splat(-4);
  /* BLOCK_SAMPLES is a multiple of four, so the last vector may go beyond `count` but not beyond the array. */
  for (int i = 0; i < count; i += 4) {
    const v128_t values = wasm_v128_load(samples + i);
    wasm_v128_store(samples + i, wasm_f32x4_pmax(lowest, wasm_f32x4_pmin(highest, values)));
  }
}

/* Encodes the first samples of the input. Returns the number of bytes in the output; negative for an error. */
EXPORT("encode") int encode(int samples) {
  for (int channel = 0; channel < 2; channel++) limit_samples(channels[channel], samples);
  return lame_encode_buffer_ieee_float(encoder, channels[0], channels[1], samples, output_bytes, OUTPUT_BYTES);
}

/* Encodes what is left. Returns the number of bytes in the output. */
EXPORT("finish") int finish(void) { return lame_encode_flush(encoder, output_bytes, OUTPUT_BYTES); }

/* The samples that the encoder added before and after the audio. Call padding after finish. */
EXPORT("delay") int delay(void) { return lame_get_encoder_delay(encoder); }
EXPORT("padding") int padding(void) { return lame_get_encoder_padding(encoder); }
