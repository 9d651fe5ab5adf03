import { type Random, seededRandom, seedOf } from '../random.ts'
import type { Bar } from './arrangement.ts'
import type { Composition, Syllable } from './composition.ts'
import { type Drum, riser, strike } from './drums.ts'
import { bassNote, chord, pluck } from './instruments.ts'
import type { Mixer } from './mixer.ts'
import type { Recipe } from './recipe.ts'
import { sing } from './voice.ts'

const LAST_STEP = 15

type Stage = {
  recipe: Recipe
  song: Composition
  mixer: Mixer
  /** A sound by name, made once and kept: songs repeat themselves. */
  sound: (name: string, make: () => Float32Array) => Float32Array
}

type Moment = { bar: Bar; step: number; at: number; random: Random }

const struck = (grid: string, step: number) => grid[step] === 'x'

/** Sixteenths until the grid strikes again, at most `most`. */
function stepsHeld(grid: string, step: number, most: number): number {
  let steps = 1
  while (steps < most && step + steps <= LAST_STEP && !struck(grid, step + steps)) steps++
  return steps
}

function drum({ recipe, song, sound }: Stage, name: Drum): Float32Array {
  return sound(name, () => strike(name, recipe.seed, song.style.weight))
}

/** How hard the backbeat is struck now: on the grid, in the roll before a drop, or as a fill at the end of four bars. */
function backbeatLevel({ song }: Stage, { bar, step, random }: Moment): number {
  if (struck(song.grids.snare, step)) return 0.8
  if (bar.place !== 3) return 0
  if (bar.section === 'build') return step >= 8 ? 0.25 + 0.05 * (step - 8) : 0
  return step >= 13 && random() < 0.4 ? 0.6 : 0
}

function playBackbeat(stage: Stage, moment: Moment): void {
  const level = backbeatLevel(stage, moment)
  if (!level) return
  const { backbeat } = stage.song.style
  const send = struck(stage.song.grids.snare, moment.step) ? 0.18 : 0
  if (backbeat !== 'clap') {
    stage.mixer.addDrum(moment.at, drum(stage, 'snare'), { left: level, right: level, send })
  }
  if (backbeat !== 'snare') {
    stage.mixer.addDrum(moment.at, drum(stage, 'clap'), {
      left: level * 0.75,
      right: level * 0.8,
      send: backbeat === 'clap' ? send : 0,
    })
  }
}

function playCymbals(stage: Stage, { bar, step, at, random }: Moment): void {
  const { grids } = stage.song
  if (bar.layers.has('hat') && struck(grids.hat, step)) {
    const accent = 0.34 * (step % 4 === 2 ? 1 : 0.75)
    const sway = 0.85 + 0.3 * random()
    stage.mixer.addDrum(at, drum(stage, 'hat'), { left: accent * sway, right: accent * (2 - sway) })
  }
  if (bar.layers.has('open') && struck(grids.open, step)) {
    stage.mixer.addDrum(at, drum(stage, 'open'), { left: 0.26, right: 0.3 })
  }
}

function playDrums(stage: Stage, moment: Moment): void {
  const { bar, step, at, random } = moment
  const { grids } = stage.song
  if (bar.layers.has('kick') && struck(grids.kick, step)) stage.mixer.addKick(at, drum(stage, 'kick'), 0.95)
  if (bar.layers.has('snare')) playBackbeat(stage, moment)
  playCymbals(stage, moment)
  if (bar.layers.has('perc') && struck(grids.perc, step)) {
    const level = 0.24 + 0.1 * random()
    stage.mixer.addDrum(at, drum(stage, 'perc'), { left: level, right: level * 0.6 })
  }
}

function playBass({ song, mixer, sound }: Stage, { bar, step, at, random }: Moment): void {
  if (!struck(song.grids.bass, step)) return
  const most = song.bassSound === '808' ? 8 : song.bassSound === 'reese' ? 6 : 3
  const steps = stepsHeld(song.grids.bass, step, most)
  const leap = (step === 14 || step === 7) && random() < 0.2 ? 12 : 0
  const note = song.roots[bar.index % 4]! + leap
  const length = Math.floor(steps * bar.step * 0.95)
  mixer.addMusic(
    at,
    sound(`bass ${note} ${length}`, () => bassNote(song.bassSound, note, length)),
    { left: 0.5, right: 0.5 },
  )
}

function playChord({ song, mixer, sound }: Stage, { bar, step, at }: Moment): void {
  if (!struck(song.grids.chord, step)) return
  const held = song.chordSound === 'stab' ? 0.6 : 0.98
  const length = Math.floor(stepsHeld(song.grids.chord, step, 16) * bar.step * held)
  const place = bar.index % 4
  const voiced = sound(`chord ${place} ${length}`, () => chord(song.chordSound, song.chords[place]!, length))
  mixer.addMusic(at, voiced, { left: 0.52, right: 0.52, send: 0.16 })
}

/** The arpeggio wanders from side to side and is answered by an echo from the other. */
function playArp({ song, mixer, sound }: Stage, { bar, step, at }: Moment): void {
  if (!song.arp || step % song.arp.everySteps !== 0) return
  const notes = song.chords[bar.index % 4]!
  const turn = song.arp.sequence[(step / song.arp.everySteps) % 8]!
  const note = notes[turn % notes.length]! + 12
  const length = Math.floor(bar.step * 1.8)
  const plucked = sound(`arp ${note} ${length}`, () => pluck(note, length, song.arp!.brightness))
  const pan = 0.5 + 0.35 * Math.sin((bar.index * 16 + step) * 0.7)
  mixer.addMusic(at, plucked, { left: 0.42 * (1 - pan), right: 0.42 * pan, send: 0.1 })
  mixer.addMusic(at + bar.step * 3, plucked, { left: 0.17 * pan, right: 0.17 * (1 - pan) })
}

function singSyllable({ sound }: Stage, { bar }: Moment, { note, vowel, from, steps }: Syllable): Float32Array {
  const length = Math.floor(steps * bar.step * 0.95)
  return sound(`voice ${note} ${vowel} ${from} ${length}`, () => sing({ note, vowel, from, length }))
}

/** Clean versions leave the rude syllables out; dirty ones add shouts from both sides. */
function playVoice(stage: Stage, moment: Moment): void {
  const { bar, step, at } = moment
  const { song, mixer, recipe } = stage
  const phraseStep = (bar.index % 4) * 16 + step
  const line = bar.layers.has('hook') ? song.hook : song.verse
  const isClean = recipe.version.endsWith('Clean')
  for (const syllable of line) {
    if (syllable.step !== phraseStep || (isClean && syllable.isRude)) continue
    mixer.addMusic(at, singSyllable(stage, moment, syllable), { left: 0.64, right: 0.6, send: 0.26 })
  }
  if (!recipe.version.endsWith('Dirty')) return
  for (const shout of song.adlibs) {
    if (shout.step !== phraseStep) continue
    const side = shout.step % 4 === 0 ? { left: 0.75, right: 0.25 } : { left: 0.25, right: 0.75 }
    mixer.addMusic(at, singSyllable(stage, moment, shout), { ...side, send: 0.3 })
  }
}

/** What marks the joints of a song: a crash where the drums enter, a riser through the last two bars of a build. */
function playJoint(stage: Stage, bar: Bar): void {
  if (bar.place === 0 && bar.index > 0 && bar.layers.has('kick')) {
    stage.mixer.addDrum(0, drum(stage, 'crash'), { left: 0.55, right: 0.5 })
  }
  if (bar.section === 'build' && bar.place === 2 && bar.layers.has('snare')) {
    const rising = stage.sound('riser', () => riser(stage.recipe.seed, bar.length * 2))
    stage.mixer.addDrum(0, rising, { left: 1, right: 1 })
  }
}

/** Plays one bar into the mixer. */
export function playBar(stage: Stage, bar: Bar): void {
  const random = seededRandom(seedOf(stage.recipe.seed, `bar ${bar.index}`))
  const late = stage.song.style.swing * bar.step
  playJoint(stage, bar)
  for (let step = 0; step <= LAST_STEP; step++) {
    const moment = { bar, step, at: step * bar.step + (step % 2) * late, random }
    playDrums(stage, moment)
    if (bar.layers.has('bass')) playBass(stage, moment)
    if (bar.layers.has('chord')) playChord(stage, moment)
    if (bar.layers.has('arp')) playArp(stage, moment)
    if (bar.layers.has('verse') || bar.layers.has('hook')) playVoice(stage, moment)
  }
}
