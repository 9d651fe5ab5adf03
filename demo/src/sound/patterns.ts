import type { BassSound, ChordSound } from './instruments.ts'
import type { DemoGenre } from './recipe.ts'

/** One bar of sixteenths: 'x' is a hit, '.' a rest. */
export type Grid = string

export type Style = {
  kick: Grid[]
  snare: Grid[]
  hat: Grid[]
  open: Grid[]
  perc: Grid[]
  /** Instrument that plays the snare's grid. */
  backbeat: 'clap' | 'snare' | 'both'
  bass: Grid[]
  chord: Grid[]
  bassSounds: BassSound[]
  chordSounds: ChordSound[]
  /** Delay of every second sixteenth, in sixteenths. */
  swing: number
  /** Probability of an arpeggio, 0 to 1. */
  arp: number
  /** How much the kick lowers the music, 0 to 1. */
  duck: number
  /** Weight of the kick, 0 to 1. */
  weight: number
}

const FOUR_ON_THE_FLOOR = 'x...x...x...x...'
const BACKBEAT = '....x.......x...'
const HALF_TIME_BACKBEAT = '........x.......'
const OFFBEATS = '..x...x...x...x.'
const EIGHTHS = 'x.x.x.x.x.x.x.x.'
const GALLOP = 'x.xxx.xxx.xxx.xx'
const SINGLE_HIT = 'x...............'
const EMPTY_PATTERN = '................'

export const STYLES: Record<DemoGenre, Style> = {
  house: {
    kick: [FOUR_ON_THE_FLOOR],
    snare: [BACKBEAT],
    hat: [OFFBEATS, GALLOP],
    open: [OFFBEATS],
    perc: ['...x..x....x..x.', 'x..x..x...x..x..'],
    backbeat: 'clap',
    bass: [OFFBEATS, 'x..x..x..x..x.x.', 'x.x.x.xxx.x.x.x.'],
    chord: ['x..x..x.........', '..x...x...x..x..'],
    bassSounds: ['saw', 'square', 'sub'],
    chordSounds: ['ep', 'stab', 'organ'],
    swing: 0.08,
    arp: 0.5,
    duck: 0.6,
    weight: 0.4,
  },
  techhouse: {
    kick: [FOUR_ON_THE_FLOOR],
    snare: [BACKBEAT],
    hat: [EIGHTHS, 'xxxxxxxxxxxxxxxx'],
    open: [OFFBEATS],
    perc: ['x..x....x.x.....', '...x...x..x....x'],
    backbeat: 'clap',
    bass: ['x..x..x...x..x..', '..xx..x...xx..x.'],
    chord: ['......x.........', '...x......x.....'],
    bassSounds: ['square', 'fm'],
    chordSounds: ['stab', 'organ'],
    swing: 0.12,
    arp: 0.3,
    duck: 0.5,
    weight: 0.5,
  },
  techno: {
    kick: [FOUR_ON_THE_FLOOR],
    snare: [EMPTY_PATTERN, BACKBEAT],
    hat: [OFFBEATS],
    open: [OFFBEATS],
    perc: ['..x..x..x..x..x.', 'x..x..x..x..x..x'],
    backbeat: 'clap',
    bass: ['.xxx.xxx.xxx.xxx', OFFBEATS],
    chord: ['...x......x.....'],
    bassSounds: ['sub', 'saw'],
    chordSounds: ['stab', 'pad'],
    swing: 0,
    arp: 0.8,
    duck: 0.8,
    weight: 0.7,
  },
  trance: {
    kick: [FOUR_ON_THE_FLOOR],
    snare: [BACKBEAT],
    hat: [EIGHTHS],
    open: [OFFBEATS],
    perc: [EMPTY_PATTERN],
    backbeat: 'clap',
    bass: [OFFBEATS, '.xxx.xxx.xxx.xxx'],
    chord: [SINGLE_HIT, 'x..x..x..x..x.x.'],
    bassSounds: ['saw'],
    chordSounds: ['super', 'pad'],
    swing: 0,
    arp: 1,
    duck: 0.9,
    weight: 0.4,
  },
  dnb: {
    kick: ['x.........x.....', 'x..x......x.....'],
    snare: [BACKBEAT],
    hat: [EIGHTHS, 'x.xxx.x.x.xxx.x.'],
    open: ['.............x..'],
    perc: ['.......x.x......', '......x..x....x.'],
    backbeat: 'snare',
    bass: ['x.....x...x.....', 'x..x..x.x.......'],
    chord: [SINGLE_HIT],
    bassSounds: ['reese', 'sub'],
    chordSounds: ['pad', 'ep'],
    swing: 0,
    arp: 0.5,
    duck: 0.4,
    weight: 0.3,
  },
  dubstep: {
    kick: ['x.....x.........', SINGLE_HIT],
    snare: [HALF_TIME_BACKBEAT],
    hat: [EIGHTHS, 'x..x..x.x..x..x.'],
    open: [EMPTY_PATTERN],
    perc: ['...x......x.....'],
    backbeat: 'both',
    bass: ['x..x..x.x..x....', 'x.x.x...x.x.x.x.'],
    chord: [SINGLE_HIT],
    bassSounds: ['reese', 'fm'],
    chordSounds: ['pad', 'super'],
    swing: 0,
    arp: 0.3,
    duck: 0.5,
    weight: 0.9,
  },
  trap: {
    kick: ['x.....x...x.....', 'x..x......x.....'],
    snare: [HALF_TIME_BACKBEAT],
    hat: ['x.x.x.x.x.x.xxxx', 'xxx.x.x.xxx.x.xx'],
    open: ['..............x.'],
    perc: ['......x......x..'],
    backbeat: 'both',
    bass: ['x.....x...x.....', 'x..x......x.....'],
    chord: [SINGLE_HIT, 'x.......x.......'],
    bassSounds: ['808'],
    chordSounds: ['ep', 'pad', 'bell'],
    swing: 0,
    arp: 0.6,
    duck: 0.3,
    weight: 0.9,
  },
  hiphop: {
    kick: ['x..x......x.....', 'x......x..x.....'],
    snare: [BACKBEAT],
    hat: [EIGHTHS],
    open: ['..............x.'],
    perc: ['.......x........'],
    backbeat: 'snare',
    bass: ['x..x......x.....', 'x.....x...x..x..'],
    chord: [SINGLE_HIT, 'x.....x.........'],
    bassSounds: ['sub', 'saw'],
    chordSounds: ['ep', 'organ', 'bell'],
    swing: 0.22,
    arp: 0.4,
    duck: 0.2,
    weight: 0.6,
  },
  rnb: {
    kick: ['x......x..x.....', 'x.....x...x..x..'],
    snare: [BACKBEAT],
    hat: ['x.xxx.x.x.xxx.x.', EIGHTHS],
    open: [EMPTY_PATTERN],
    perc: ['...x......x.....'],
    backbeat: 'clap',
    bass: ['x......x..x.....'],
    chord: [SINGLE_HIT, 'x.....x.........'],
    bassSounds: ['sub', '808'],
    chordSounds: ['ep', 'pad'],
    swing: 0.15,
    arp: 0.5,
    duck: 0.25,
    weight: 0.5,
  },
  // The dembow: kick on every beat, snare three sixteenths after the first and six after it.
  reggaeton: {
    kick: [FOUR_ON_THE_FLOOR],
    snare: ['...x..x....x..x.'],
    hat: [EIGHTHS, EMPTY_PATTERN],
    open: [EMPTY_PATTERN],
    perc: ['..x.......x.....'],
    backbeat: 'snare',
    bass: ['x.....x.x.....x.', 'x..x..x.x..x..x.'],
    chord: ['x..x..x.x..x..x.', SINGLE_HIT],
    bassSounds: ['sub', 'saw'],
    chordSounds: ['stab', 'ep', 'bell'],
    swing: 0,
    arp: 0.6,
    duck: 0.3,
    weight: 0.5,
  },
  // Based on the 3-3-4-2-4 clave.
  afro: {
    kick: ['x..x...x..x.....', FOUR_ON_THE_FLOOR],
    snare: ['......x...x.....', '....x..x....x...'],
    hat: [GALLOP],
    open: ['..x.......x.....'],
    perc: ['x..x..x...x.x...', '..x..x..x..x..x.'],
    backbeat: 'clap',
    bass: ['x..x..x.....x...', '...x..x...x..x..'],
    chord: ['...x..x....x..x.', 'x..x..x.........'],
    bassSounds: ['sub', 'fm'],
    chordSounds: ['ep', 'organ'],
    swing: 0.1,
    arp: 0.6,
    duck: 0.3,
    weight: 0.4,
  },
  disco: {
    kick: [FOUR_ON_THE_FLOOR],
    snare: [BACKBEAT],
    hat: [GALLOP],
    open: [OFFBEATS],
    perc: [EMPTY_PATTERN, '..x..x....x..x..'],
    backbeat: 'both',
    bass: [EIGHTHS, 'x..xx.x.x..xx.x.'],
    chord: [OFFBEATS, '..xx..x...xx..x.'],
    bassSounds: ['saw', 'square'],
    chordSounds: ['stab', 'organ', 'ep'],
    swing: 0,
    arp: 0.5,
    duck: 0.2,
    weight: 0.2,
  },
  garage: {
    kick: ['x.........x.....', 'x.....x...x.....'],
    snare: [BACKBEAT],
    hat: [OFFBEATS, 'x.x..xx.x.x..xx.'],
    open: [EMPTY_PATTERN],
    perc: ['...x...x...x...x'],
    backbeat: 'both',
    bass: ['x..x..x...x.....', 'x.....x..x...x..'],
    chord: ['..x..x....x..x..', SINGLE_HIT],
    bassSounds: ['sub', 'fm'],
    chordSounds: ['organ', 'ep', 'stab'],
    swing: 0.28,
    arp: 0.4,
    duck: 0.3,
    weight: 0.4,
  },
  pop: {
    kick: [FOUR_ON_THE_FLOOR, 'x.......x.x.....'],
    snare: [BACKBEAT],
    hat: [EIGHTHS],
    open: ['..............x.'],
    perc: ['......x.......x.'],
    backbeat: 'both',
    bass: [EIGHTHS, 'x.....x.x.....x.'],
    chord: [SINGLE_HIT, 'x...x...x...x...'],
    bassSounds: ['saw', 'square'],
    chordSounds: ['super', 'ep', 'pad'],
    swing: 0,
    arp: 0.7,
    duck: 0.45,
    weight: 0.4,
  },
}
