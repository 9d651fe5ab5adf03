import { ONSET_RATE } from '../onset.ts'

/**
 * The log spectrum rises as soon as an attack enters the window, before it reaches the middle: the time of an onset
 * after the first sample of its frame. Measured with drums at known times.
 */
const ONSET_LEAD_SECONDS = 0.0232

/** Converts between onset frames and the time in the file, in seconds from its first decoded sample. */
export class OnsetTimeline {
  /** Length of the file. */
  readonly seconds: number
  readonly #lead: number

  /** `delaySeconds` is how much earlier than in the file sounds appear in the series, because of the resamplers. */
  constructor(seconds: number, delaySeconds: number) {
    this.seconds = seconds
    this.#lead = ONSET_LEAD_SECONDS + delaySeconds
  }

  secondsOf(frame: number): number {
    return frame / ONSET_RATE + this.#lead
  }

  frameOf(seconds: number): number {
    return (seconds - this.#lead) * ONSET_RATE
  }
}
