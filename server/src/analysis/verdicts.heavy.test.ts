import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { isWarning, MAX_DURATION_SECONDS } from '../audio-files/faults.ts'
import { FileWindow } from '../audio-files/file-window.ts'
import { inspect } from '../audio-files/integrity.ts'
import { analyse } from './analyse.ts'
import { openAnalysisHarness } from './analysis-harness.ts'
import { EarlyStop } from './early-stop.ts'
import {
  aiffOf,
  flacOf,
  flipped,
  garbage,
  halfZeros,
  id3Of,
  join,
  mp3Of,
  tone,
  tune,
  wavOf,
  withInfoFrame,
} from './make-audio.ts'

const { folder, analyseBytes } = openAnalysisHarness()

const SECONDS = 2.2
const music = tune({ seed: 4, seconds: SECONDS })
const lowRate = { rate: 8000 }
const longer = tune({ seed: 4, seconds: 10, rate: 8000, channels: 1 })
const TAG_BYTES = 2000
const bareMp3 = await mp3Of(music)
const mp3 = Buffer.concat([id3Of(TAG_BYTES), bareMp3])
/** Frames of 1152 samples, plus one for the encoder's delay. */
const FRAMES = Math.ceil((SECONDS * 44_100) / 1152) + 1
const firstFrame = mp3.length - bareMp3.length
/** Long enough that half of it is more than the padding of a disk cluster. */
const longMp3 = await mp3Of(tune({ seed: 4, seconds: 5, channels: 1 }))
const wav = wavOf(music)
const aiff = aiffOf(music)
const flac = flacOf(music)
const FLAC_HEAD = 42

const half = (bytes: Buffer) => Math.floor(bytes.length / 2)
const cutAt = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share))
const withGarbage = (bytes: Buffer) =>
  Buffer.concat([bytes.subarray(0, half(bytes)), garbage(5001), bytes.subarray(half(bytes))])
const frameAfter = (at: number) => bareMp3.indexOf(Buffer.from([0xff, 0xfb]), at)
const twentyPositions = (bytes: Buffer) =>
  Array.from({ length: 20 }, (_, n) => Math.floor((bytes.length * (n + 5)) / 30))

function declareSampleCount(samples: number): Buffer {
  const bytes = Buffer.from(flac)
  bytes.writeUInt32BE(samples, 8 + 14)
  return bytes
}

type BrokenFile = [what: string, bytes: Buffer, code: string, at?: number]

const BROKEN_FILES: BrokenFile[] = [
  ['MP3 truncated in its ID3 tag', mp3.subarray(0, 900), 'truncated', 0],
  ['MP3 truncated in its first frame', mp3.subarray(0, firstFrame + 200), 'truncated', 0],
  ['MP3 truncated in its fifth frame', mp3.subarray(0, firstFrame + 4 * 417 + 100), 'truncated', 0],
  ['MP3 truncated in the middle', cutAt(longMp3, 0.5), 'truncated', 2.5],
  ['MP3 truncated in its last frame', mp3.subarray(0, -50), 'truncated', SECONDS],
  ['MP3 with a flipped first frame', flipped(bareMp3, 0, 1), 'leading_junk', 0],
  ['MP3 with a flipped frame after its tag', flipped(mp3, firstFrame, firstFrame + 1), 'leading_junk', 0],
  ['MP3 with a flipped frame in the middle', flipped(bareMp3, frameAfter(half(bareMp3))), 'lost_sync', SECONDS / 2],
  [
    'MP3 with many flipped frames',
    flipped(bareMp3, ...twentyPositions(bareMp3).map(frameAfter)),
    'lost_sync',
    SECONDS / 6,
  ],
  ['MP3 with garbage in the middle', withGarbage(bareMp3), 'lost_sync', SECONDS / 2],
  ['MP3 with zeros in the second half', halfZeros(longMp3), 'truncated', 2.5],
  ['two MP3s with tags concatenated', Buffer.concat([mp3, mp3]), 'second_file', SECONDS],
  [
    'two MP3s with frame counts concatenated',
    duplicateFrames(withInfoFrame(bareMp3, { frames: FRAMES })),
    'second_file',
    SECONDS,
  ],
  ['MP3 whose header counts more', withInfoFrame(bareMp3, { frames: 400 }), 'header_count', SECONDS],
  ['WAV truncated in its header', wav.subarray(0, 30), 'truncated', 0],
  ['WAV truncated before the first sample', wav.subarray(0, 44), 'truncated', 0],
  ['WAV truncated in its first samples', wav.subarray(0, 50), 'truncated', 0],
  ['WAV truncated in the middle', cutAt(wav, 0.5), 'truncated', SECONDS / 2],
  ['WAV truncated in its last sample', wav.subarray(0, -1), 'truncated', SECONDS],
  ['WAV with a flipped signature', flipped(wav, 0), 'not_audio'],
  ['WAV with a flipped format', flipped(wav, 20), 'unsupported_pcm'],
  ['WAV whose header says it is longer', wavOf(music, { dataSize: 3 * wav.length }), 'truncated', SECONDS],
  ['WAV whose header says it is shorter', wavOf(music, { dataSize: 44_100 * 4 }), 'header_count', 1],
  ['WAV with zeros in the second half', halfZeros(wavOf(longer, lowRate)), 'truncated', 5],
  ['two WAVs concatenated', duplicateFrames(wav), 'second_file', SECONDS],
  ['AIFF truncated in its header', aiff.subarray(0, 20), 'truncated', 0],
  ['AIFF truncated before the first sample', aiff.subarray(0, 50), 'truncated', 0],
  ['AIFF truncated in the middle', cutAt(aiff, 0.5), 'truncated', SECONDS / 2],
  ['AIFF truncated in its last sample', aiff.subarray(0, -1), 'truncated', SECONDS],
  ['AIFF with a flipped signature', flipped(aiff, 9), 'not_audio'],
  ['AIFF with zeros in the second half', halfZeros(aiffOf(longer, lowRate)), 'truncated', 5],
  ['two AIFFs concatenated', duplicateFrames(aiff), 'second_file', SECONDS],
  ['FLAC truncated in its header', flac.subarray(0, 20), 'truncated', 0],
  ['FLAC truncated before its first frame', flac.subarray(0, FLAC_HEAD), 'truncated', 0],
  ['FLAC truncated in its first frame', flac.subarray(0, FLAC_HEAD + 300), 'truncated', 0],
  ['FLAC truncated in the middle', cutAt(flac, 0.5), 'truncated', SECONDS / 2],
  ['FLAC truncated in its last frame', flac.subarray(0, -100), 'truncated', SECONDS],
  ['FLAC with a flipped signature', flipped(flac, 1), 'not_audio'],
  ['FLAC with a flipped sample rate', flipped(flac, 8 + 10), 'unsupported_pcm'],
  ['FLAC with a flipped bit in the middle', flipped(flac, half(flac)), 'lost_sync', SECONDS / 2],
  ['FLAC with many flipped bits', flipped(flac, ...twentyPositions(flac)), 'lost_sync', SECONDS / 6],
  ['FLAC with garbage in the middle', withGarbage(flac), 'lost_sync', SECONDS / 2],
  ['FLAC with zeros in the second half', halfZeros(flac), 'truncated', SECONDS / 2],
  ['FLAC whose header declares more', declareSampleCount(9 * 44_100), 'header_count', SECONDS],
  ['FLAC whose header declares less', declareSampleCount(44_100), 'header_count', 1],
  ['two FLACs concatenated', duplicateFrames(flacOf(tune({ seed: 4, seconds: 5 }))), 'header_count', 5],
  ['nothing', Buffer.alloc(0), 'empty_file'],
  ['text', Buffer.from('Here are the tunes you asked for.\n'.repeat(500)), 'not_audio'],
  ['a PNG', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), garbage(50_000)]), 'not_audio'],
  ['a ZIP', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), garbage(50_000)]), 'not_audio'],
  ['a web page', Buffer.from('<!DOCTYPE html><html>Sign in to download</html>'.repeat(50)), 'not_audio'],
  [
    'an M4A without an index',
    Buffer.concat([Buffer.from('\0\0\0\x20ftypM4A ', 'latin1'), garbage(50_000)]),
    'undecodable',
  ],
  ['noise', garbage(50_000), 'not_audio'],
]

function duplicateFrames(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, bytes])
}

describe('a damaged file is refused, with the position', () => {
  test.each(BROKEN_FILES)('%s: %#', async (_, bytes, code, at) => {
    const { faults, playable } = await analyseBytes(bytes)
    expect(playable).toBe(false)
    expect(faults[0]).toMatchObject({ code, message: expect.stringMatching(/^[A-Z].*\.$/) })
    expect(isWarning(faults[0]!)).toBe(false)
    if (at === undefined) expect(faults[0]!.at_seconds).toBeUndefined()
    else expect(Math.abs(faults[0]!.at_seconds! - at)).toBeLessThan(SECONDS / 5)
  })

  test('and no quality warning is added for the rest of it', async () => {
    const { faults } = await analyseBytes(wavOf([new Float32Array(44_100)]).subarray(0, 44_100))
    expect(faults.map(({ code }) => code)).toEqual(['truncated'])
  })
})

describe('a file that only looks odd is intact', () => {
  const sound: [string, Buffer | Promise<Buffer>, string][] = [
    ['MP3 named .wav', bareMp3, 'a.wav'],
    ['WAV named .mp3', wav, 'a.mp3'],
    ['FLAC named .aiff', flac, 'a.aiff'],
    ['AIFF without an extension', aiff, 'a'],
    ['VBR without a frame count', mp3Of(music, 44_100, { vbr_quality: 2 }), 'a.mp3'],
    ['an ID3 tag of 20 MB', Buffer.concat([id3Of(20_000_000), bareMp3]), 'a.mp3'],
    ['zeros up to the end of a cluster', Buffer.concat([bareMp3, Buffer.alloc(30_000)]), 'a.mp3'],
    ['11,025 Hz', wavOf(tune({ seed: 8, seconds: 3, rate: 11_025 }), { rate: 11_025 }), 'a.wav'],
    ['37,800 Hz', wavOf(tune({ seed: 8, seconds: 3, rate: 37_800 }), { rate: 37_800 }), 'a.wav'],
    ['24 bits at 96 kHz', flacOf(tune({ seed: 8, seconds: 3, rate: 96_000 }), { bits: 24, rate: 96_000 }), 'a.flac'],
    ['32-bit float', wavOf(music, { bits: 32, float: true }), 'a.wav'],
    ['mono', mp3Of([music[0]!]), 'a.mp3'],
    ['two streams without headers concatenated', duplicateFrames(bareMp3), 'a.mp3'],
    ['music that fades into long silence', wavOf(faded()), 'a.wav'],
    ['silence after an abrupt end', wavOf([join(music[0]!, new Float32Array(44_100))]), 'a.wav'],
    ['garbage after the last chunk', Buffer.concat([wav, garbage(3000)]), 'a.wav'],
  ]

  function faded(): Float32Array[] {
    const fading = music[0]!.map((sample, i) => sample * (1 - i / music[0]!.length))
    return [join(fading, new Float32Array(44_100 * 8))]
  }

  test.each(sound)('%s', async (_, bytes, name) => {
    expect(await analyseBytes(await bytes, name)).toMatchObject({ faults: [], playable: true })
  })

  test('warns about digital silence', async () => {
    const { faults, playable } = await analyseBytes(flacOf([new Float32Array(44_100 * 3)]))
    expect([faults.map(({ code }) => code), playable]).toEqual([['silent'], true])
  })

  test.each<[string, (seconds: number) => Buffer]>([
    ['WAV', (seconds) => Buffer.concat([headOf(seconds), Buffer.alloc(8000 * seconds, 0x90)])],
    ['MP3', (seconds) => Buffer.concat(Array.from({ length: Math.ceil(seconds / 1.044) }, () => second()))],
  ])('two hours of %s', (_, make) => {
    const file = path.join(folder, 'mix')
    fs.writeFileSync(file, make(7200))
    const fd = fs.openSync(file, 'r')
    const found = inspect(new FileWindow(fd))
    fs.closeSync(fd)
    fs.rmSync(file)
    expect(found).toMatchObject({ faults: [], is_decodable: true })
    expect('duration_seconds' in found && found.duration_seconds).toBeGreaterThanOrEqual(7200)
  })

  /** The header of a WAV with one byte for each of 8000 samples a second. */
  function headOf(seconds: number): Buffer {
    return wavOf([new Float32Array(0)], { rate: 8000, bits: 8, dataSize: 8000 * seconds })
  }

  /** At least forty frames of an intact MP3: slightly more than 1.044 s. */
  function second(): Buffer {
    return bareMp3.subarray(frameAfter(10 * 417), frameAfter(51 * 418))
  }
})

describe('audio of more than six hours', () => {
  test('is refused before decoding when its samples are counted', async () => {
    const file = path.join(folder, 'days.wav')
    const bytes = 8000 * (MAX_DURATION_SECONDS + 1)
    fs.writeFileSync(file, wavOf([new Float32Array(8)], { rate: 8000, bits: 8, dataSize: bytes }))
    fs.truncateSync(file, 44 + bytes)
    const shares: number[] = []
    const { faults, playable } = await analyse(file, { onProgress: (share) => shares.push(share) })
    fs.rmSync(file)
    expect([faults, playable]).toMatchObject([[{ code: 'too_long' }], false])
    expect(shares).toEqual([])
  })

  test('is decoded up to the limit when only its header declares the duration, and leaves no preview', async () => {
    const file = path.join(folder, 'days.flac')
    const previews = fs.mkdtempSync(path.join(folder, 'previews-'))
    const previewPath = path.join(previews, 'days.mp3')
    fs.writeFileSync(file, flac)
    const { faults, playable } = await analyse(file, { previewPath, maxDurationSeconds: SECONDS / 2 })
    expect([faults, playable]).toMatchObject([[{ code: 'too_long' }], false])
    expect(fs.readdirSync(previews)).toEqual([])
    expect((await analyse(file, { maxDurationSeconds: SECONDS })).playable).toBe(true)
    fs.rmSync(file)
  })

  test('gets at most six hours’ time limit when only a damaged header declares more', async () => {
    const file = path.join(folder, 'promise.flac')
    fs.writeFileSync(file, declareSampleCount(0xffff_ffff))
    const expected: number[] = []
    const { faults } = await analyse(file, { onExpected: (seconds) => expected.push(seconds) })
    expect(faults).toMatchObject([{ code: 'header_count' }])
    expect(expected).toEqual([MAX_DURATION_SECONDS])
    fs.rmSync(file)
  })
})

describe('audio that is not music', () => {
  /** Returns the fault that stops one-second blocks, and after how many. */
  function stopOf(blockAt: (second: number) => Float32Array[], bytesPerSecond: number): [string | undefined, number] {
    const stop = new EarlyStop(8000)
    for (let second = 0; second < 600; second++) {
      const amount = { decodedBytes: (second + 1) * 16_000, readBytes: (second + 1) * bytesPerSecond }
      const fault = stop.push({ channels: blockAt(second), ...amount })
      if (fault) return [fault.code, second]
    }
    return [undefined, 600]
  }
  const level = (value: number) => new Float32Array(8000).fill(value)

  test('is detected by a constant level on every channel, or by more audio than its bytes can hold', () => {
    const [loud, quiet, sound] = [level(0.5), level(0), tone({ hz: 440, seconds: 1, rate: 8000 })]
    expect(stopOf(() => [loud, quiet], 16_000)).toEqual(['constant_signal', 120])
    // MP3 decoders leave noise where the encoder found silence.
    expect(stopOf((n) => [level(n % 2 ? 2 ** -18 : -(2 ** -18))], 16_000)).toEqual(['constant_signal', 120])
    expect(stopOf((n) => [n < 60 ? sound : quiet], 16_000)).toEqual(['constant_signal', 180])
    expect(stopOf((n) => [level((n % 7) / 10)], 20)).toEqual(['no_music', 120])
    expect(stopOf(() => [sound, quiet], 170)).toEqual([undefined, 600])
    expect(stopOf((n) => [n % 100 === 0 ? sound : quiet], 16_000)).toEqual([undefined, 600])
  })

  test('is reported with its position when music comes first', async () => {
    const [sound] = longer as [Float32Array]
    const silence = new Float32Array(8000 * 122)
    const { faults } = await analyseBytes(wavOf([join(sound, silence, sound.subarray(0, 8000))], { rate: 8000 }))
    expect(faults[0]).toMatchObject({ code: 'constant_signal', at_seconds: expect.closeTo(10, 0) })
    expect(faults[0]?.message).toBe(
      'From 0:10 on, more than 2 minutes are silence or a constant level. Cut that part and export the file again.',
    )
  })
})
