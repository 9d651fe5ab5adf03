import { type Random, seededRandom, seedOf } from '../random.ts'
import type { Bar } from './arrangement.ts'
import type { Composition, Syllable } from './composition.ts'
import { type Drum, renderDrum, riser } from './drums.ts'
import { bassNote, chord, pluck } from './instruments.ts'
import type { Mixer } from './mixer.ts'
import type { Recipe } from './recipe.ts'
import { sing } from './voice.ts'

const LAST_STEP = 15

type RenderContext = {
  recipe: Recipe
  song: Composition
  mixer: Mixer
  /** Returns a sound by name, rendering it only once, because songs repeat their sounds. */
  sound: (name: string, make: () => Float32Array) => Float32Array
}

type PlaybackStep = { bar: Bar; step: number; at: number; random: Random }

const isHit = (grid: string, step: number) => grid[step] === 'x'

/** Sixteenths until the next hit in the grid, at most `maxSteps`. */
function heldSteps(grid: string, step: number, maxSteps: number): number {
  let steps = 1
  while (steps < maxSteps && step + steps <= LAST_STEP && !isHit(grid, step + steps)) steps++
  return steps
}

function drum({ recipe, song, sound }: RenderContext, name: Drum): Float32Array {
  return sound(name, () => renderDrum(name, recipe.seed, song.style.weight))
}

/** Level of the backbeat at this step: on the grid, in the roll before a drop, or as a fill at the end of four bars. */
function backbeatLevel({ song }: RenderContext, { bar, step, random }: PlaybackStep): number {
  if (isHit(song.grids.snare, step)) return 0.8
  if (bar.place !== 3) return 0
  if (bar.section === 'build') return step >= 8 ? 0.25 + 0.05 * (step - 8) : 0
  return step >= 13 && random() < 0.4 ? 0.6 : 0
}

function playBackbeat(renderContext: RenderContext, playbackStep: PlaybackStep): void {
  const level = backbeatLevel(renderContext, playbackStep)
  if (!level) return
  const { backbeat } = renderContext.song.style
  const send = isHit(renderContext.song.grids.snare, playbackStep.step) ? 0.18 : 0
  if (backbeat !== 'clap') {
    renderContext.mixer.addDrum(playbackStep.at, drum(renderContext, 'snare'), { left: level, right: level, send })
  }
  if (backbeat !== 'snare') {
    renderContext.mixer.addDrum(playbackStep.at, drum(renderContext, 'clap'), {
      left: level * 0.75,
      right: level * 0.8,
      send: backbeat === 'clap' ? send : 0,
    })
  }
}

function playCymbals(renderContext: RenderContext, { bar, step, at, random }: PlaybackStep): void {
  const { grids } = renderContext.song
  if (bar.layers.has('hat') && isHit(grids.hat, step)) {
    const accent = 0.34 * (step % 4 === 2 ? 1 : 0.75)
    const velocity = 0.85 + 0.3 * random()
    renderContext.mixer.addDrum(at, drum(renderContext, 'hat'), {
      left: accent * velocity,
      right: accent * (2 - velocity),
    })
  }
  if (bar.layers.has('open') && isHit(grids.open, step)) {
    renderContext.mixer.addDrum(at, drum(renderContext, 'open'), { left: 0.26, right: 0.3 })
  }
}

function playDrums(renderContext: RenderContext, playbackStep: PlaybackStep): void {
  const { bar, step, at, random } = playbackStep
  const { grids } = renderContext.song
  if (bar.layers.has('kick') && isHit(grids.kick, step))
    renderContext.mixer.addKick(at, drum(renderContext, 'kick'), 0.95)
  if (bar.layers.has('snare')) playBackbeat(renderContext, playbackStep)
  playCymbals(renderContext, playbackStep)
  if (bar.layers.has('perc') && isHit(grids.perc, step)) {
    const level = 0.24 + 0.1 * random()
    renderContext.mixer.addDrum(at, drum(renderContext, 'perc'), { left: level, right: level * 0.6 })
  }
}

function playBass({ song, mixer, sound }: RenderContext, { bar, step, at, random }: PlaybackStep): void {
  if (!isHit(song.grids.bass, step)) return
  const maxSteps = song.bassSound === '808' ? 8 : song.bassSound === 'reese' ? 6 : 3
  const steps = heldSteps(song.grids.bass, step, maxSteps)
  const leap = (step === 14 || step === 7) && random() < 0.2 ? 12 : 0
  const note = song.roots[bar.index % 4]! + leap
  const length = Math.floor(steps * bar.step * 0.95)
  mixer.addMusic(
    at,
    sound(`bass ${note} ${length}`, () => bassNote(song.bassSound, note, length)),
    { left: 0.5, right: 0.5 },
  )
}

function playChord({ song, mixer, sound }: RenderContext, { bar, step, at }: PlaybackStep): void {
  if (!isHit(song.grids.chord, step)) return
  const gateRatio = song.chordSound === 'stab' ? 0.6 : 0.98
  const length = Math.floor(heldSteps(song.grids.chord, step, 16) * bar.step * gateRatio)
  const positionInSection = bar.index % 4
  const voiced = sound(`chord ${positionInSection} ${length}`, () =>
    chord(song.chordSound, song.chords[positionInSection]!, length),
  )
  mixer.addMusic(at, voiced, { left: 0.52, right: 0.52, send: 0.16 })
}

/** The arpeggio moves from side to side, with an echo on the opposite side. */
function playArp({ song, mixer, sound }: RenderContext, { bar, step, at }: PlaybackStep): void {
  if (!song.arp || step % song.arp.everySteps !== 0) return
  const notes = song.chords[bar.index % 4]!
  const arpIndex = song.arp.sequence[(step / song.arp.everySteps) % 8]!
  const note = notes[arpIndex % notes.length]! + 12
  const length = Math.floor(bar.step * 1.8)
  const plucked = sound(`arp ${note} ${length}`, () => pluck(note, length, song.arp!.brightness))
  const pan = 0.5 + 0.35 * Math.sin((bar.index * 16 + step) * 0.7)
  mixer.addMusic(at, plucked, { left: 0.42 * (1 - pan), right: 0.42 * pan, send: 0.1 })
  mixer.addMusic(at + bar.step * 3, plucked, { left: 0.17 * pan, right: 0.17 * (1 - pan) })
}

function singSyllable(
  { sound }: RenderContext,
  { bar }: PlaybackStep,
  { note, vowel, from, steps }: Syllable,
): Float32Array {
  const length = Math.floor(steps * bar.step * 0.95)
  return sound(`voice ${note} ${vowel} ${from} ${length}`, () => sing({ note, vowel, from, length }))
}

/** Clean versions leave out the explicit syllables; dirty ones add shouts from both sides. */
function playVoice(renderContext: RenderContext, playbackStep: PlaybackStep): void {
  const { bar, step, at } = playbackStep
  const { song, mixer, recipe } = renderContext
  const phraseStep = (bar.index % 4) * 16 + step
  const line = bar.layers.has('hook') ? song.hook : song.verse
  const isClean = recipe.version.endsWith('Clean')
  for (const syllable of line) {
    if (syllable.step !== phraseStep || (isClean && syllable.isExplicit)) continue
    mixer.addMusic(at, singSyllable(renderContext, playbackStep, syllable), { left: 0.64, right: 0.6, send: 0.26 })
  }
  if (!recipe.version.endsWith('Dirty')) return
  for (const shout of song.adlibs) {
    if (shout.step !== phraseStep) continue
    const side = shout.step % 4 === 0 ? { left: 0.75, right: 0.25 } : { left: 0.25, right: 0.75 }
    mixer.addMusic(at, singSyllable(renderContext, playbackStep, shout), { ...side, send: 0.3 })
  }
}

/** Marks section changes: a crash where the drums start, and a riser through the last two bars of a build. */
function playSectionChange(renderContext: RenderContext, bar: Bar): void {
  if (bar.place === 0 && bar.index > 0 && bar.layers.has('kick')) {
    renderContext.mixer.addDrum(0, drum(renderContext, 'crash'), { left: 0.55, right: 0.5 })
  }
  if (bar.section === 'build' && bar.place === 2 && bar.layers.has('snare')) {
    const rising = renderContext.sound('riser', () => riser(renderContext.recipe.seed, bar.length * 2))
    renderContext.mixer.addDrum(0, rising, { left: 1, right: 1 })
  }
}

/** Plays one bar into the mixer. */
export function playBar(renderContext: RenderContext, bar: Bar): void {
  const random = seededRandom(seedOf(renderContext.recipe.seed, `bar ${bar.index}`))
  const swingOffset = renderContext.song.style.swing * bar.step
  playSectionChange(renderContext, bar)
  for (let step = 0; step <= LAST_STEP; step++) {
    const playbackStep = { bar, step, at: step * bar.step + (step % 2) * swingOffset, random }
    playDrums(renderContext, playbackStep)
    if (bar.layers.has('bass')) playBass(renderContext, playbackStep)
    if (bar.layers.has('chord')) playChord(renderContext, playbackStep)
    if (bar.layers.has('arp')) playArp(renderContext, playbackStep)
    if (bar.layers.has('verse') || bar.layers.has('hook')) playVoice(renderContext, playbackStep)
  }
}
