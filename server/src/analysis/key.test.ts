import { KEYS, type SongKey } from '@dubplate/contract/keys'
import { describe, expect, test } from 'vitest'
import { CHROMA_SAMPLE_RATE, ChromaStream } from './chroma.ts'
import { keyOf } from './key.ts'
import { join, noise } from './make-audio.ts'

const RATE = CHROMA_SAMPLE_RATE

/** A chord of sawtooth-like tones with its bass note, `cents` off 440 Hz tuning. */
function chord(semitones: number[], { seconds = 1.5, cents = 0 }: { seconds?: number; cents?: number }): Float32Array {
  const out = new Float32Array(Math.round(seconds * RATE))
  const notes = [semitones[0]! - 12, ...semitones]
  for (const note of notes) {
    const hz = 261.626 * 2 ** ((note + cents / 100) / 12)
    for (let harmonic = 1; harmonic <= 6; harmonic++) {
      const turn = (2 * Math.PI * hz * harmonic) / RATE
      for (let i = 0; i < out.length; i++) out[i]! += (0.1 / harmonic) * Math.sin(turn * i) * Math.exp(-i / RATE)
    }
  }
  return out
}

const major = (root: number) => [root, root + 4, root + 7]
const minor = (root: number) => [root, root + 3, root + 7]

/** I–IV–V–I; in minor i–iv–V–i. */
function cadence(key: SongKey, cents = 0): Float32Array {
  const index = KEYS.indexOf(key)
  const root = index % 12
  const chords =
    index < 12
      ? [major(root), major(root + 5), major(root + 7), major(root)]
      : [minor(root), minor(root + 5), major(root + 7), minor(root)]
  return join(...[...chords, ...chords].map((notes) => chord(notes, { cents })))
}

function keyOfSound(mono: Float32Array) {
  const chroma = new ChromaStream()
  for (let at = 0; at < mono.length; at += 5000) chroma.push(mono.subarray(at, at + 5000))
  return keyOf({ chroma: chroma.pitchClassFrames(), bass: new Float32Array(0) })
}

describe('keyOf', () => {
  test.each(KEYS)('finds the key of a cadence in %s', (key) => {
    expect(keyOfSound(cadence(key)).song_key).toBe(key)
  })

  test('finds the key of a recording that is 30 cents sharp or flat', () => {
    expect([keyOfSound(cadence('F#m', 30)).song_key, keyOfSound(cadence('Eb', -30)).song_key]).toEqual(['F#m', 'Eb'])
  })

  test('finds no key in silence, and no reliable one in noise', () => {
    expect(keyOfSound(new Float32Array(RATE * 5))).toEqual({ song_key: null, key_confidence: 0 })
    const random = noise(3)
    const hiss = Float32Array.from({ length: RATE * 20 }, () => random() * 0.3)
    expect(keyOfSound(hiss).key_confidence).toBeLessThan(0.8)
  })
})
