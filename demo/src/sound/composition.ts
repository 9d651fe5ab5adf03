import { between, pick, type Random, seededRandom, seedOf } from '../random.ts'
import type { BassSound, ChordSound } from './instruments.ts'
import { type Grid, STYLES, type Style } from './patterns.ts'
import type { Recipe } from './recipe.ts'
import { VOWELS, type Vowel } from './voice.ts'

/** A syllable of the lead voice: its place in a four-bar phrase and its length, in sixteenths. */
export type Syllable = { step: number; steps: number; note: number; vowel: Vowel; from: number; isExplicit: boolean }

/** What all versions of a song share. Notes are MIDI numbers; there is one chord per bar, in phrases of four bars. */
export type Composition = {
  style: Style
  grids: Record<'kick' | 'snare' | 'hat' | 'open' | 'perc' | 'bass' | 'chord', Grid>
  bassSound: BassSound
  chordSound: ChordSound
  roots: number[]
  chords: number[][]
  arp: { sequence: number[]; everySteps: number; brightness: number } | undefined
  verse: Syllable[]
  hook: Syllable[]
  adlibs: Syllable[]
}

const SCALES = { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10] } as const

/** Degrees of the scale (0 is the tonic), one chord a bar. All start or end on the tonic, so that the key is clear. */
const PROGRESSIONS: Record<'major' | 'minor', readonly (readonly number[])[]> = {
  major: [
    [0, 4, 5, 3],
    [0, 5, 3, 4],
    [3, 4, 0, 0],
    [0, 3, 0, 4],
    [0, 2, 3, 4],
    [0, 3, 5, 4],
  ],
  minor: [
    [0, 5, 2, 6],
    [0, 3, 4, 0],
    [0, 5, 3, 4],
    [0, 6, 5, 4],
    [0, 3, 6, 5],
    [0, 0, 5, 6],
  ],
}

const PHRASE_STEPS = 64
const EXPLICIT_EVERY = 4
const VOICE_FLOOR = 64

/** Moves a note by octaves into the twelve semitones from `floor` up. */
function shiftIntoOctave(note: number, floor: number): number {
  return floor + ((((note - floor) % 12) + 12) % 12)
}

type Harmony = { tonic: number; scale: readonly number[]; degrees: readonly number[] }

function noteOf({ tonic, scale }: Harmony, degree: number, floor: number): number {
  return shiftIntoOctave(tonic + scale[degree % 7]!, floor)
}

/** A four-bar melody: mostly chord notes, with rests a third of the time. */
function melody(random: Random, harmony: Harmony, lengths: readonly number[]): Syllable[] {
  const line: Syllable[] = []
  for (let step = 0; step < PHRASE_STEPS; ) {
    const steps = pick(random, lengths)
    const degree = harmony.degrees[Math.floor(step / 16)]!
    const chosen = random() < 0.65 ? degree + pick(random, [0, 2, 4]) : between(random, 0, 6)
    const vowel = pick(random, VOWELS)
    if (random() < 0.72) {
      const note = noteOf(harmony, chosen, VOICE_FLOOR)
      line.push({
        step,
        steps,
        note,
        vowel,
        from: line.at(-1)?.note ?? note,
        isExplicit: line.length % EXPLICIT_EVERY === 2,
      })
    }
    step += steps
  }
  return line
}

/** A hook repeats its first two bars, using notes of the current chords. */
function hookMelody(random: Random, harmony: Harmony): Syllable[] {
  const call = melody(random, harmony, [2, 2, 4, 4]).filter((syllable) => syllable.step < 32)
  const answer = call.map((syllable) => {
    const degree = harmony.degrees[Math.floor(syllable.step / 16) + 2]!
    return { ...syllable, step: syllable.step + 32, note: noteOf(harmony, degree + 2, VOICE_FLOOR) }
  })
  return [...call, ...answer]
}

/** Short low shouts on the chord's root, at most two a bar. */
function adlibShouts(random: Random, harmony: Harmony): Syllable[] {
  const line: Syllable[] = []
  for (let step = 6; step < PHRASE_STEPS; step += pick(random, [4, 6, 8])) {
    const note = noteOf(harmony, harmony.degrees[Math.floor(step / 16)]!, 52)
    line.push({ step, steps: 2, note, vowel: pick(random, ['a', 'e', 'o'] as const), from: note + 4, isExplicit: true })
  }
  return line
}

function chordNotes(random: Random, harmony: Harmony): number[][] {
  const floor = pick(random, [60, 60, 55, 64])
  const steps = random() < 0.5 ? [0, 2, 4, 6] : [0, 2, 4]
  return harmony.degrees.map((degree) => steps.map((i) => noteOf(harmony, degree + i, floor)).sort((a, b) => a - b))
}

/**
 * Composes the song from its seed. Each part has its own random numbers; versions share everything except the
 * arrangement.
 */
export function compose(recipe: Pick<Recipe, 'seed' | 'genre' | 'tonic' | 'mode'>): Composition {
  const draw = (part: string) => seededRandom(seedOf(recipe.seed, part))
  const style = STYLES[recipe.genre]
  const degrees = pick(draw('progression'), PROGRESSIONS[recipe.mode])
  const harmony: Harmony = { tonic: recipe.tonic, scale: SCALES[recipe.mode], degrees }
  const grid = (part: keyof Composition['grids']) => pick(draw(part), style[part])
  const bassSound = pick(draw('bass sound'), style.bassSounds)
  const bassFloor = bassSound === '808' || bassSound === 'sub' ? 31 : 33
  const arp = draw('arp')
  return {
    style,
    grids: {
      kick: grid('kick'),
      snare: grid('snare'),
      hat: grid('hat'),
      open: grid('open'),
      perc: grid('perc'),
      bass: grid('bass'),
      chord: grid('chord'),
    },
    bassSound,
    chordSound: pick(draw('chord sound'), style.chordSounds),
    roots: degrees.map((degree) => noteOf(harmony, degree, bassFloor)),
    chords: chordNotes(draw('chords'), harmony),
    arp:
      arp() < style.arp
        ? {
            sequence: Array.from({ length: 8 }, () => between(arp, 0, 3)),
            everySteps: pick(arp, [1, 2, 2]),
            brightness: arp(),
          }
        : undefined,
    verse: melody(draw('verse'), harmony, [2, 2, 3, 4, 4, 6]),
    hook: hookMelody(draw('hook'), harmony),
    adlibs: adlibShouts(draw('adlibs'), harmony),
  }
}
