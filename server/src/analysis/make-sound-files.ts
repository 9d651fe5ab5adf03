import { demoMusic } from './demo-music.ts'
import { aiffOf, flacOf, id3Of, mp3Of, tune, wavOf } from './make-audio.ts'

/** Intact audio files of many kinds, for the tests that none of them is refused. */

const GENRES = ['house', 'techno', 'trance', 'dnb', 'dubstep', 'trap', 'hiphop', 'rnb', 'disco', 'pop'] as const
const ID3V1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0x20)])
const tagged = (bytes: Buffer, n: number) =>
  [bytes, Buffer.concat([id3Of(n * 10), bytes]), Buffer.concat([bytes, ID3V1])][n % 3]!

const SHAPES: ((n: number) => Buffer | Promise<Buffer>)[] = [
  (n) => wavOf(sound(n, pick(n, [44_100, 48_000, 22_050, 96_000, 32_000])), wavShape(n)),
  (n) => aiffOf(sound(n, 44_100), pick(n, [{}, { bits: 24 }, { compression: 'sowt' }, { bits: 8 }] as const)),
  (n) => flacOf(sound(n, pick(n, FLAC_RATES)), { rate: pick(n, FLAC_RATES), bits: pick(n, [16, 24] as const) }),
  async (n) =>
    tagged(
      await mp3Of(sound(n, pick(n, MP3_RATES)), pick(n, MP3_RATES), { kbps: pick(n, [128, 192, 320, 160, 256]) }),
      n,
    ),
  async (n) => tagged(await mp3Of(sound(n, 44_100), 44_100, { vbr_quality: n % 9 }), n),
]
const FLAC_RATES = [44_100, 48_000, 22_050] as const
const MP3_RATES = [44_100, 48_000, 44_100, 32_000] as const
const pick = <T>(n: number, of: readonly T[]): T => of[Math.floor(n / SHAPES.length) % of.length]!
const wavShape = (n: number) => {
  const rate = pick(n, [44_100, 48_000, 22_050, 96_000, 32_000])
  const shapes = [
    {},
    { bits: 24 },
    { bits: 32, float: true },
    { extensible: true },
    { bits: 8 },
    { rf64: true },
  ] as const
  return { rate, ...shapes[Math.floor(n / 5) % shapes.length]! }
}

/** Half of them are songs of the demo where the rate allows it, half are tunes from a seed. */
function sound(n: number, rate: number): Float32Array[] {
  const stereo = Math.floor(n / 10) % 3 > 0
  if (rate !== 44_100 || n % 2 === 0) return tuneOf({ seed: Math.floor(n / 5), seconds: 3.2, rate, stereo })
  const song = demoMusic(GENRES[Math.floor(n / 2) % GENRES.length]!, n, 5)
  const part = song.map((samples) => samples.subarray(n * 100, Math.round(44_100 * 3.2) + n * 100))
  return stereo ? part : [part[0]!]
}

const tunes = new Map<string, Float32Array[]>()
function tuneOf({ stereo, ...what }: { seed: number; seconds: number; rate: number; stereo: boolean }) {
  const key = JSON.stringify([what, stereo])
  const known = tunes.get(key) ?? tune({ ...what, channels: stereo ? 2 : 1 })
  tunes.set(key, known)
  return known
}

/** The n-th file: its format, rate, depth, channels and tags follow from n. */
export const makeSoundFile = (n: number): Buffer | Promise<Buffer> => SHAPES[n % SHAPES.length]!(n)
