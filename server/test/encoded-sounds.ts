import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A second of sound in a format that nothing in this repository encodes: see sounds/README.md. */
export const encodedSound = (name: 'aac.m4a' | 'alac.m4a' | 'vorbis.ogg' | 'opus.opus'): Buffer =>
  readFileSync(path.join(import.meta.dirname, 'sounds', name))

/** What these files contain: a rising tone on the left, and a constant one on the right of the stereo ones. */
export function encodedSoundSamples(sampleRate: number): [left: Float32Array, right: Float32Array] {
  const samples = (level: number, cycles: (seconds: number) => number) =>
    Float32Array.from({ length: sampleRate }, (_, i) => level * Math.sin(2 * Math.PI * cycles(i / sampleRate)))
  return [samples(0.5, (t) => 200 * t + 300 * t * t), samples(0.25, (t) => 330 * t)]
}
