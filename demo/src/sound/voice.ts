import { SAMPLE_RATE } from './recipe.ts'
import { applyEnvelope, applyFilter } from './shape.ts'
import { glidingTone, noteHertz, sineAt, wavetable } from './wave.ts'

/** First three formants in hertz of a female voice. Source: Csound manual, appendix D (alto). */
const FORMANTS = {
  a: [800, 1150, 2900],
  e: [400, 1600, 2700],
  i: [350, 1700, 2700],
  o: [450, 800, 2830],
  u: [325, 700, 2530],
} as const

const FORMANT_GAINS = [1, 0.6, 0.3] as const

export type Vowel = keyof typeof FORMANTS
export const VOWELS: readonly Vowel[] = ['a', 'e', 'i', 'o', 'u']

export type SungNote = {
  note: number
  vowel: Vowel
  length: number /** The note the voice glides from. */
  from: number
}

const VIBRATO_HERTZ = 5.4
const VIBRATO_SEMITONES = 0.18

function pitchOf({ note, from }: SungNote): (second: number) => number {
  return (second) => {
    const glide = (from - note) * Math.exp(-second / 0.035)
    const vibrato = VIBRATO_SEMITONES * Math.min(1, second / 0.35) * sineAt(second * VIBRATO_HERTZ)
    return noteHertz(note + glide + vibrato)
  }
}

/** A sung syllable: a saw as the glottis, three resonances as the vocal tract. */
export function sing(syllable: SungNote): Float32Array {
  const glottalTone = glidingTone(syllable.length, wavetable('saw', noteHertz(syllable.note)), pitchOf(syllable))
  const out = new Float32Array(syllable.length)
  FORMANTS[syllable.vowel].forEach((hertz, i) => {
    const resonance = glottalTone.slice()
    applyFilter(resonance, { pass: 'band', from: hertz, to: hertz, glide: 1, damping: 0.09 + 0.03 * i })
    const gain = FORMANT_GAINS[i]! * 0.16
    for (let k = 0; k < out.length; k++) out[k]! += resonance[k]! * gain
  })
  applyEnvelope(out, { attack: 0.03, decay: 0.6, sustain: 0.75, release: Math.min(0.07, out.length / SAMPLE_RATE / 3) })
  return out
}
