import { SAMPLE_RATE } from './recipe.ts'
import { applyEnvelope, applyFilter } from './shape.ts'
import { addTone, noteHertz, SINE, sineAt, wavetable } from './wave.ts'

export type BassSound = 'saw' | 'square' | 'sub' | '808' | 'fm' | 'reese'
export type ChordSound = 'ep' | 'bell' | 'organ' | 'super' | 'stab' | 'pad'

function subBass(hertz: number, out: Float32Array, isDriven: boolean): void {
  addTone(out, SINE, hertz, 0.9)
  addTone(out, SINE, hertz * 2, 0.12)
  if (isDriven) for (let i = 0; i < out.length; i++) out[i] = Math.tanh(out[i]! * 1.8) * 0.85
  const [decay, sustain] = isDriven ? [0.9, 0.1] : [0.5, 0.6]
  applyEnvelope(out, { attack: 0.004, decay, sustain, release: 0.02 })
}

/** Two-operator frequency modulation whose brightness fades. Source: John Chowning, 1973. */
function modulated(
  hertz: number,
  out: Float32Array,
  voice: { ratio: number; index: number; rest: number; fade: number },
) {
  const decayFactor = Math.exp(-1 / (voice.fade * SAMPLE_RATE))
  let bright = 1
  for (let i = 0; i < out.length; i++) {
    const phase = (hertz * i) / SAMPLE_RATE
    bright *= decayFactor
    out[i] = sineAt(phase + 1 + sineAt(phase * voice.ratio) * (voice.rest + voice.index * bright))
  }
}

function fmBass(hertz: number, out: Float32Array): void {
  modulated(hertz, out, { ratio: 2, index: 0.35, rest: 0.08, fade: 0.12 })
  for (let i = 0; i < out.length; i++) out[i]! *= 0.8
  applyEnvelope(out, { attack: 0.003, decay: 0.3, sustain: 0.5, release: 0.02 })
}

/** Two detuned saws beating against each other over a sine. */
function reeseBass(hertz: number, out: Float32Array): void {
  const saw = wavetable('saw', hertz)
  addTone(out, saw, hertz * 0.995, 0.5)
  addTone(out, saw, hertz * 1.006, 0.5, 0.4)
  applyFilter(out, { pass: 'low', from: 900, to: 380, glide: 0.5, damping: 0.8 })
  addTone(out, SINE, hertz, 0.35)
  applyEnvelope(out, { attack: 0.008, decay: 1, sustain: 0.8, release: 0.03 })
}

function filteredBass(shape: 'saw' | 'square', hertz: number, out: Float32Array): void {
  addTone(out, wavetable(shape, hertz), hertz, 0.6)
  addTone(out, SINE, hertz, 0.3)
  applyFilter(out, { pass: 'low', from: 1500, to: 320, glide: 0.1, damping: 0.6 })
  applyEnvelope(out, { attack: 0.003, decay: 0.25, sustain: 0.55, release: 0.015 })
}

/** A bass note of `length` samples. */
export function bassNote(sound: BassSound, note: number, length: number): Float32Array {
  const out = new Float32Array(length)
  const hertz = noteHertz(note)
  if (sound === 'sub' || sound === '808') subBass(hertz, out, sound === '808')
  else if (sound === 'fm') fmBass(hertz, out)
  else if (sound === 'reese') reeseBass(hertz, out)
  else filteredBass(sound, hertz, out)
  return out
}

function addStruckTone(out: Float32Array, hertz: number, sound: 'ep' | 'bell'): void {
  const tone = new Float32Array(out.length)
  const isBell = sound === 'bell'
  modulated(hertz, tone, { ratio: isBell ? 3.5 : 1, index: isBell ? 0.3 : 0.18, rest: 0, fade: isBell ? 0.25 : 0.5 })
  applyEnvelope(tone, { attack: 0.004, decay: isBell ? 0.5 : 0.9, sustain: 0.18, release: 0.05 })
  for (let i = 0; i < out.length; i++) out[i]! += tone[i]! * 0.24
}

function addOrgan(out: Float32Array, hertz: number): void {
  const drawbars = [
    [1, 0.13],
    [2, 0.08],
    [3, 0.04],
    [0.5, 0.07],
  ] as const
  for (const [multiple, gain] of drawbars) addTone(out, SINE, hertz * multiple, gain)
}

function addSaws(out: Float32Array, hertz: number, detunes: readonly number[], gain: number): void {
  const saw = wavetable('saw', hertz)
  for (const [i, detune] of detunes.entries()) addTone(out, saw, hertz * (1 + detune), gain, (i * 0.37) % 1)
}

function shapeChord(sound: ChordSound, out: Float32Array): void {
  if (sound === 'pad') {
    applyFilter(out, { pass: 'low', from: 700, to: 1500, glide: 0.8, damping: 0.9 })
    applyEnvelope(out, { attack: 0.12, decay: 1, sustain: 0.9, release: 0.2 })
  } else if (sound === 'super') {
    applyFilter(out, { pass: 'low', from: 5200, to: 2600, glide: 0.5, damping: 0.8 })
    applyEnvelope(out, { attack: 0.006, decay: 0.8, sustain: 0.7, release: 0.06 })
  } else if (sound === 'stab') {
    applyFilter(out, { pass: 'low', from: 3800, to: 600, glide: 0.09, damping: 0.5 })
    applyEnvelope(out, { attack: 0.003, decay: 0.14, sustain: 0.25, release: 0.03 })
  } else if (sound === 'organ') {
    applyEnvelope(out, { attack: 0.004, decay: 1, sustain: 0.9, release: 0.02 })
  }
}

/** A chord of MIDI notes, `length` samples long. */
export function chord(sound: ChordSound, notes: readonly number[], length: number): Float32Array {
  const out = new Float32Array(length)
  for (const hertz of notes.map(noteHertz)) {
    if (sound === 'ep' || sound === 'bell') addStruckTone(out, hertz, sound)
    else if (sound === 'organ') addOrgan(out, hertz)
    else if (sound === 'super') addSaws(out, hertz, [-0.009, -0.004, 0, 0.005, 0.0095], 0.055)
    else addSaws(out, hertz, [0.003, -0.003], 0.085)
  }
  shapeChord(sound, out)
  return out
}

/** A short plucked note for arpeggios; `brightness` is 0 to 1. */
export function pluck(note: number, length: number, brightness: number): Float32Array {
  const out = new Float32Array(length)
  const hertz = noteHertz(note)
  addTone(out, wavetable('saw', hertz), hertz, 0.3)
  addTone(out, wavetable('square', hertz), hertz * 1.002, 0.12)
  applyFilter(out, { pass: 'low', from: 2500 + 3500 * brightness, to: 500, glide: 0.07, damping: 0.5 })
  applyEnvelope(out, { attack: 0.002, decay: 0.12, sustain: 0.12, release: 0.02 })
  return out
}
