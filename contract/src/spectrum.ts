/** The spectrogram of a file, shared by the server, which computes it, and the browser, which draws it. */

/** At most this many columns. */
export const SPECTRUM_COLUMNS = 400
/** Equally wide bands from 0 Hz up, in each column. */
export const SPECTRUM_BANDS = 96
/** Frequencies above are left out. */
export const MAX_SPECTRUM_HZ = 24_000
/** One step of a level, down from full scale (a sine of 0 dBFS is level 0). */
export const SPECTRUM_STEP_DB = 2
/** The level of −120 dB and less. */
export const LOWEST_SPECTRUM_LEVEL = 60
