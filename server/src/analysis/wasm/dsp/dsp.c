/*
 * dsp.wasm: the inner loops of the measurements, with SIMD. Each function does the same as a class in the folder above,
 * named in its comment, which stays the reference and the fallback. The tables (filter coefficients, windows, band
 * edges) are written by fast-measurements.ts from those classes, so that each is defined once.
 *
 * One instance measures one file of one or two channels. Samples are floats of −1 to 1, in blocks of at most
 * BLOCK_SAMPLES. Everything is static memory; nothing is allocated.
 */
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))

#define BLOCK_SAMPLES 16384

static inline int smaller(int a, int b) { return a < b ? a : b; }

EXPORT("block_samples") int block_samples(void) { return BLOCK_SAMPLES; }

/* ---- Input: the current block of each channel, after the end of the block before it ---- */

/* At least as long as a phase of the true peak's interpolator. */
#define LEAD_SAMPLES 16

static float channel_samples[2][LEAD_SAMPLES + BLOCK_SAMPLES];

/* Where the caller writes the samples of a channel. For mono, channel 1 stays silent. */
EXPORT("input") float *input(int channel) { return channel_samples[channel] + LEAD_SAMPLES; }

/* ---- Mixdown (mixDown in signal-analyser.ts) ---- */

static float mono_samples[BLOCK_SAMPLES];

/* The result of mix, and the input and output of halve and push_onsets. */
EXPORT("mono") float *mono(void) { return mono_samples; }

/* Writes the mean of the channels to mono. */
EXPORT("mix") void mix(int channels, int samples) {
  const float *left = input(0), *right = input(1);
  if (channels == 1) memcpy(mono_samples, left, samples * sizeof(float));
  else
    for (int i = 0; i < samples; i++) mono_samples[i] = (left[i] + right[i]) * 0.5f;
}

/* ---- True peak (TruePeak in true-peak.ts) ---- */

#define PEAK_PHASES 4
#define PEAK_TAPS 12
/* Samples whose interpolation is skipped together. */
#define PEAK_CHUNK 32

static float peak_taps[PEAK_PHASES][PEAK_TAPS];

/* Table: the interpolator's taps, phase after phase, in the order of the samples they weight. */
EXPORT("peak_table") float *peak_table(void) { return &peak_taps[0][0]; }

static float highest_level(const float *samples, int count) {
  float highest = 0;
  for (int i = 0; i < count; i++) {
    const float level = __builtin_fabsf(samples[i]);
    highest = level > highest ? level : highest;
  }
  return highest;
}

/* The highest level of `count` interpolated values of one phase; `samples` is where the first value's taps begin. */
static float highest_between(const float *samples, const float *taps, int count) {
  float values[PEAK_CHUNK] = {0};
  for (int tap = 0; tap < PEAK_TAPS; tap++) {
    const float weight = taps[tap];
    /* Always the whole chunk, so that the loop is unrolled; the caller counts `count` of its values. */
    for (int i = 0; i < PEAK_CHUNK; i++) values[i] += weight * samples[tap + i];
  }
  return highest_level(values, count);
}

/* Values that are interpolated together, so that their sums fit into registers. */
#define PEAK_BLOCK 8

static inline float higher_of(float a, float b) { return a > b ? a : b; }

/*
 * The same for all four phases of `count` values. The taps of phase 3 are those of phase 0 in reverse, and those of phase 2
 * the ones of phase 1: with the sums and differences of the samples at both ends, two phases need the work of one.
 */
static float highest_between_all(const float *samples, int count) {
  float highest = 0;
  for (int from = 0; from < count; from += PEAK_BLOCK, samples += PEAK_BLOCK) {
    float even[2][PEAK_BLOCK] = {{0}}, odd[2][PEAK_BLOCK] = {{0}};
    for (int tap = 0; tap < PEAK_TAPS / 2; tap++) {
      const float *first = samples + tap, *last = samples + PEAK_TAPS - 1 - tap;
      const float even_0 = 0.5f * (peak_taps[0][tap] + peak_taps[3][tap]);
      const float odd_0 = 0.5f * (peak_taps[0][tap] - peak_taps[3][tap]);
      const float even_1 = 0.5f * (peak_taps[1][tap] + peak_taps[2][tap]);
      const float odd_1 = 0.5f * (peak_taps[1][tap] - peak_taps[2][tap]);
      for (int i = 0; i < PEAK_BLOCK; i++) {
        const float sum = first[i] + last[i], difference = first[i] - last[i];
        even[0][i] += even_0 * sum;
        odd[0][i] += odd_0 * difference;
        even[1][i] += even_1 * sum;
        odd[1][i] += odd_1 * difference;
      }
    }
    /* The higher one of |even + odd| and |even − odd| is |even| + |odd|. */
    float values[PEAK_BLOCK];
    for (int i = 0; i < PEAK_BLOCK; i++)
      values[i] = higher_of(__builtin_fabsf(even[0][i]) + __builtin_fabsf(odd[0][i]),
                            __builtin_fabsf(even[1][i]) + __builtin_fabsf(odd[1][i]));
    highest = higher_of(highest, highest_level(values, smaller(PEAK_BLOCK, count - from)));
  }
  return highest;
}

/*
 * Returns the highest level of this channel's block, between its samples too, or `peak` if that is higher. `most_gain`
 * is the largest factor by which interpolation can exceed the samples: chunks that cannot exceed the peak even then are
 * skipped, which is nearly all of them. Then keeps the end of the block for the next one, so it comes after every other
 * measurement of the channel.
 */
EXPORT("true_peak") float true_peak(int channel, int samples, int phases, float peak, float most_gain) {
  /* A partial chunk at the end of a block reads beyond it; those values are not counted. */
  static float last_chunk[PEAK_TAPS + PEAK_CHUNK];
  float *block = input(channel);
  for (int from = 0; from < samples; from += PEAK_CHUNK) {
    const int count = smaller(PEAK_CHUNK, samples - from);
    const float *taps_from = block + from - PEAK_TAPS;
    const float highest = highest_level(taps_from, PEAK_TAPS + count);
    if (highest * most_gain > peak) {
      if (count < PEAK_CHUNK) {
        memcpy(last_chunk, taps_from, (PEAK_TAPS + count) * sizeof(float));
        taps_from = last_chunk;
      }
      if (phases == PEAK_PHASES) peak = higher_of(peak, highest_between_all(taps_from + 1, count));
      else
        for (int phase = 0; phase < phases; phase++)
          peak = higher_of(peak, highest_between(taps_from + 1, peak_taps[phase], count));
    }
    peak = highest > peak ? highest : peak;
  }
  memmove(channel_samples[channel], channel_samples[channel] + samples, LEAD_SAMPLES * sizeof(float));
  return peak;
}

/* ---- Loudness (Loudness in loudness.ts) ---- */

/* Two filters that run in parallel: left and right, or low pass and high pass. */
typedef double pair __attribute__((vector_size(16)));

/* K-weighting: b0, b1, b2, a1, a2 of the shelf, then a1, a2 of the low cut, whose zeros are 1, −2, 1. */
static double weighting[7];
static pair weighting_state[4];

EXPORT("weighting_table") double *weighting_table(void) { return weighting; }

/* Returns the sum of squares of the K-weighted samples `from` to `to` of both channels. */
EXPORT("weighted_energy") double weighted_energy(int from, int to) {
  const float *left = input(0), *right = input(1);
  const double b0 = weighting[0], b1 = weighting[1], b2 = weighting[2], a1 = weighting[3], a2 = weighting[4];
  const double c1 = weighting[5], c2 = weighting[6];
  pair s1 = weighting_state[0], s2 = weighting_state[1], t1 = weighting_state[2], t2 = weighting_state[3];
  pair energy = {0, 0};
  for (int i = from; i < to; i++) {
    const pair sample = {left[i], right[i]};
    const pair shelved = b0 * sample + s1;
    s1 = b1 * sample - a1 * shelved + s2;
    s2 = b2 * sample - a2 * shelved;
    const pair weighted = shelved + t1;
    t1 = -2 * shelved - c1 * weighted + t2;
    t2 = shelved - c2 * weighted;
    energy += weighted * weighted;
  }
  weighting_state[0] = s1, weighting_state[1] = s2, weighting_state[2] = t1, weighting_state[3] = t2;
  return energy[0] + energy[1];
}

/* ---- Waveform (Peaks in peaks.ts) ---- */

/* Two second-order sections of a low pass and a high pass: [section][coefficient b0, b1, a1, a2][low, high]; b2 is b0. */
static pair wave_sections[2][4];
static pair wave_state[2][2];
/* low, mid, high, overall */
static double wave_level[4];

EXPORT("wave_table") pair *wave_table(void) { return &wave_sections[0][0]; }

/* The highest levels since the caller last set them to zero: low, mid, high, overall. */
EXPORT("wave_levels") double *wave_levels(void) { return wave_level; }

/* Runs one section for one sample, low pass and high pass at once. */
static inline pair run_section(const pair coefficients[4], pair state[2], pair sample) {
  const pair out = coefficients[0] * sample + state[0];
  state[0] = coefficients[1] * sample - coefficients[2] * out + state[1];
  state[1] = coefficients[0] * sample - coefficients[3] * out;
  return out;
}

static inline double higher(double level, double value) {
  const double magnitude = __builtin_fabs(value);
  return magnitude > level ? magnitude : level;
}

/* Raises the levels by the samples `from` to `to` of mono. */
EXPORT("raise_wave_levels") void raise_wave_levels(int from, int to) {
  pair coefficients[2][4], state[2][2];
  memcpy(coefficients, wave_sections, sizeof coefficients);
  memcpy(state, wave_state, sizeof state);
  double low = wave_level[0], mid = wave_level[1], high = wave_level[2], overall = wave_level[3];
  for (int i = from; i < to; i++) {
    const double sample = mono_samples[i];
    const pair both = {sample, sample};
    const pair bands = run_section(coefficients[1], state[1], run_section(coefficients[0], state[0], both));
    low = higher(low, bands[0]);
    mid = higher(mid, sample - bands[0] - bands[1]);
    high = higher(high, bands[1]);
    overall = higher(overall, sample);
  }
  memcpy(wave_state, state, sizeof state);
  wave_level[0] = low, wave_level[1] = mid, wave_level[2] = high, wave_level[3] = overall;
}

/* ---- Half the sample rate (HalfRate in resample.ts) ---- */

#define HALF_TAPS 31
#define HALF_CENTRE 15
#define HALF_STAGES 8

static float half_taps[HALF_TAPS];
/* Samples that the next block's first values need, per stage. */
static float half_pending[HALF_STAGES][HALF_TAPS + 1];
static int half_pending_count[HALF_STAGES];

/* Table: the taps of the half-band filter, of which every second one is zero. */
EXPORT("half_table") float *half_table(void) { return half_taps; }

/* Replaces the samples in mono by samples of half the rate, and returns their number. Each stage keeps its own state. */
EXPORT("halve") int halve(int stage, int samples) {
  static float joined[HALF_TAPS + 1 + BLOCK_SAMPLES];
  static float even[BLOCK_SAMPLES / 2 + HALF_TAPS], odd[BLOCK_SAMPLES / 2 + HALF_TAPS];
  const int pending = half_pending_count[stage];
  memcpy(joined, half_pending[stage], pending * sizeof(float));
  memcpy(joined + pending, mono_samples, samples * sizeof(float));
  const int all = pending + samples;
  const int count = all < HALF_TAPS ? 0 : (all - HALF_TAPS) / 2 + 1;
  for (int i = 0; i < count + HALF_CENTRE; i++) even[i] = joined[2 * i], odd[i] = joined[2 * i + 1];
  for (int i = 0; i < count; i++) mono_samples[i] = half_taps[HALF_CENTRE] * odd[i + HALF_CENTRE / 2];
  for (int reach = 1; reach <= HALF_CENTRE; reach += 2) {
    const float weight = half_taps[HALF_CENTRE + reach];
    const float *before = even + (HALF_CENTRE - reach) / 2, *after = even + (HALF_CENTRE + reach) / 2;
    for (int i = 0; i < count; i++) mono_samples[i] += weight * (before[i] + after[i]);
  }
  half_pending_count[stage] = all - 2 * count;
  memcpy(half_pending[stage], joined + 2 * count, half_pending_count[stage] * sizeof(float));
  return count;
}

/* ---- Fourier transform (RealFft in fft.ts) ---- */

/* The longest frame of real samples whose spectrum can be computed. */
#define LONGEST_FRAME 8192
#define LONGEST_TRANSFORM (LONGEST_FRAME / 2)

/* The factors of the transform's stages: cos(πi/h) and −sin(πi/h) of the stage that joins h values begin at h. */
static float turn_re[LONGEST_FRAME], turn_im[LONGEST_FRAME];
/* The positions 0 to n − 1 with their bits reversed begin at n. */
static unsigned short reversed[2 * LONGEST_TRANSFORM];
/* The Hann window of n samples begins at n. */
static float windows[2 * LONGEST_FRAME];

EXPORT("turn_re_table") float *turn_re_table(void) { return turn_re; }
EXPORT("turn_im_table") float *turn_im_table(void) { return turn_im; }
EXPORT("reversed_table") unsigned short *reversed_table(void) { return reversed; }
EXPORT("window_table") float *window_table(void) { return windows; }

static float re[LONGEST_TRANSFORM], im[LONGEST_TRANSFORM];

/* Complex transform of the first `size` values of re and im (decimation in time), which are in the order of reversed bits. */
static inline void transform(int size) {
  for (int i = 0; i < size; i += 4) {
    /* The first two stages, whose factors are 1 and −i. */
    const float ar = re[i] + re[i + 1], ai = im[i] + im[i + 1], br = re[i] - re[i + 1], bi = im[i] - im[i + 1];
    const float cr = re[i + 2] + re[i + 3], ci = im[i + 2] + im[i + 3];
    const float dr = im[i + 2] - im[i + 3], di = re[i + 3] - re[i + 2];
    re[i] = ar + cr, im[i] = ai + ci, re[i + 2] = ar - cr, im[i + 2] = ai - ci;
    re[i + 1] = br + dr, im[i + 1] = bi + di, re[i + 3] = br - dr, im[i + 3] = bi - di;
  }
  for (int half = 4; half < size; half <<= 1) {
    const float *cosines = turn_re + half, *sines = turn_im + half;
    for (int from = 0; from < size; from += 2 * half) {
      float *restrict first_re = re + from, *restrict first_im = im + from;
      float *restrict second_re = re + from + half, *restrict second_im = im + from + half;
      for (int i = 0; i < half; i++) {
        const float turned_re = second_re[i] * cosines[i] - second_im[i] * sines[i];
        const float turned_im = second_re[i] * sines[i] + second_im[i] * cosines[i];
        second_re[i] = first_re[i] - turned_re;
        second_im[i] = first_im[i] - turned_im;
        first_re[i] += turned_re;
        first_im[i] += turned_im;
      }
    }
  }
}

/* Where the caller writes the values of complex_transform, in the order of reversed bits, and reads its result. */
EXPORT("transform_re") float *transform_re(void) { return re; }
EXPORT("transform_im") float *transform_im(void) { return im; }

/* Transforms the first `size` values, a power of two. */
EXPORT("complex_transform") void complex_transform(int size) { transform(size); }

/* ---- Power spectrum (createPowerSpectrum in power-spectrum.ts) ---- */

static float spectrum_samples[LONGEST_FRAME];
static float spectrum_powers[LONGEST_TRANSFORM + 1];

/* Where the caller writes the samples of a frame. */
EXPORT("spectrum_input") float *spectrum_input(void) { return spectrum_samples; }

/* The result of power_spectrum: the power of the bins 0 to size / 2. */
EXPORT("spectrum_output") float *spectrum_output(void) { return spectrum_powers; }

/* Weights a frame of `size` samples, a power of two, with its Hann window, and writes the power of its bins. */
EXPORT("power_spectrum") void power_spectrum(int size) {
  const int half = size / 2;
  const unsigned short *order = reversed + half;
  const float *window = windows + size;
  /* Even samples as real parts and odd ones as imaginary parts: a transform of half the size. */
  for (int i = 0; i < half; i++) {
    const int at = 2 * order[i];
    re[i] = spectrum_samples[at] * window[at];
    im[i] = spectrum_samples[at + 1] * window[at + 1];
  }
  transform(half);
  const float *cosines = turn_re + half, *sines = turn_im + half;
  spectrum_powers[0] = (re[0] + im[0]) * (re[0] + im[0]);
  spectrum_powers[half] = (re[0] - im[0]) * (re[0] - im[0]);
  /* The spectra of the even and of the odd samples give the bins k and half − k. */
  for (int k = 1; k <= half / 2; k++) {
    const int mirrored = half - k;
    const float even_re = 0.5f * (re[k] + re[mirrored]), even_im = 0.5f * (im[k] - im[mirrored]);
    const float odd_re = 0.5f * (im[k] + im[mirrored]), odd_im = 0.5f * (re[mirrored] - re[k]);
    const float turned_re = odd_re * cosines[k] - odd_im * sines[k];
    const float turned_im = odd_re * sines[k] + odd_im * cosines[k];
    const float sum_re = even_re + turned_re, sum_im = even_im + turned_im;
    const float difference_re = even_re - turned_re, difference_im = even_im - turned_im;
    spectrum_powers[k] = sum_re * sum_re + sum_im * sum_im;
    spectrum_powers[mirrored] = difference_re * difference_re + difference_im * difference_im;
  }
}

/* ---- Onsets (OnsetStream in onset.ts), of mono at 22,050 Hz ---- */

#define FRAME 1024
#define HOP 256
#define BINS (FRAME / 2)
#define BANDS 8
/* Values of a frame: the rise of each band, then its power. */
#define ROW (2 * BANDS)

/* The first bin of each band, and the bin after the last band. */
static int band_edges[BANDS + 1];

EXPORT("band_edge_table") int *band_edge_table(void) { return band_edges; }

/* Samples that belong to frames that are not complete yet. */
static float onset_pending[FRAME + HOP + BLOCK_SAMPLES];
static int onset_pending_count;
static float onset_row[(BLOCK_SAMPLES / HOP + FRAME / HOP + 2) * ROW];

/* The rows of the last call of push_onsets or finish_onsets. */
EXPORT("onset_rows") float *onset_rows(void) { return onset_row; }

/* The log spectra of the last four frames, by frame number modulo 4. */
static float levels[4][BINS + 4];
static unsigned frame_number;

/* The natural logarithm of a number from 1 on: the series of artanh around the nearest power of two, error 10⁻⁷. */
static inline float natural_log(float value) {
  union { float number; int bits; } x = {value};
  const int sqrt_half = 0x3f3504f3;
  const int exponent = (x.bits - sqrt_half) >> 23;
  x.bits -= exponent << 23;
  const float t = (x.number - 1) / (x.number + 1), t2 = t * t;
  return t * (2 + t2 * (2.f / 3 + t2 * (2.f / 5 + t2 * (2.f / 7)))) + exponent * 0.69314718f;
}

/* Turns magnitudes into levels, in place, and writes the row of their frame. `past` are the levels two frames before. */
static void write_row(float *restrict frame, const float *restrict past, float *restrict row) {
  for (int band = 0; band < BANDS; band++) {
    float power = 0;
    for (int bin = band_edges[band]; bin < band_edges[band + 1]; bin++) power += frame[bin] * frame[bin];
    row[BANDS + band] = power;
  }
  for (int bin = 1; bin < BINS; bin++) frame[bin] = natural_log(1 + 1000 * frame[bin]);
  for (int band = 0; band < BANDS; band++) {
    float sum = 0;
    for (int bin = band_edges[band]; bin < band_edges[band + 1]; bin++) {
      float highest = past[bin - 1] > past[bin] ? past[bin - 1] : past[bin];
      highest = past[bin + 1] > highest ? past[bin + 1] : highest;
      const float rise = frame[bin] - highest;
      sum += rise > 0 ? rise : 0;
    }
    row[band] = sum;
  }
}

/*
 * Measures the frame that begins at `samples` and, if `count` is 2, the next one. One complex transform gives the
 * spectra of two real frames.
 */
static void measure_frames(const float *samples, int count, float *rows) {
  const unsigned short *order = reversed + FRAME;
  const float *window = windows + FRAME;
  for (int i = 0; i < FRAME; i++) {
    const int at = order[i];
    re[i] = samples[at] * window[at];
    im[i] = count == 2 ? samples[HOP + at] * window[at] : 0;
  }
  transform(FRAME);
  float *restrict first = levels[frame_number & 3], *restrict second = levels[(frame_number + 1) & 3];
  /* A sine of amplitude a has the magnitude a; the sums below are twice the spectrum of each frame. */
  const float scale = 2.f / FRAME;
  for (int bin = 1; bin < BINS; bin++) {
    const int mirrored = FRAME - bin;
    const float first_re = re[bin] + re[mirrored], first_im = im[bin] - im[mirrored];
    const float second_re = im[bin] + im[mirrored], second_im = re[mirrored] - re[bin];
    first[bin] = scale * __builtin_sqrtf(first_re * first_re + first_im * first_im);
    second[bin] = scale * __builtin_sqrtf(second_re * second_re + second_im * second_im);
  }
  write_row(first, levels[(frame_number + 2) & 3], rows);
  if (count == 2) write_row(second, levels[(frame_number + 3) & 3], rows + ROW);
  frame_number += count;
}

/*
 * Adds the samples in mono. Measures every pair of frames that is complete and returns the number of frames: for each,
 * onset_rows holds the rises of the eight bands and their powers.
 */
EXPORT("push_onsets") int push_onsets(int samples) {
  memcpy(onset_pending + onset_pending_count, mono_samples, samples * sizeof(float));
  const int available = onset_pending_count + samples;
  int from = 0, frames = 0;
  for (; from + FRAME + HOP <= available; from += 2 * HOP, frames += 2)
    measure_frames(onset_pending + from, 2, onset_row + frames * ROW);
  onset_pending_count = available - from;
  memmove(onset_pending, onset_pending + from, onset_pending_count * sizeof(float));
  return frames;
}

/* Measures the last frame if it is complete but has no partner. Returns the number of frames, 0 or 1. */
EXPORT("finish_onsets") int finish_onsets(void) {
  if (onset_pending_count < FRAME) return 0;
  measure_frames(onset_pending, 1, onset_row);
  onset_pending_count -= HOP;
  memmove(onset_pending, onset_pending + HOP, onset_pending_count * sizeof(float));
  return 1;
}
