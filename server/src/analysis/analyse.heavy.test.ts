import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseFrameHeader } from '../audio-files/mp3-frame.ts'
import { parseInfoFrame } from '../audio-files/mp3-info-frame.ts'
import { analyse } from './analyse.ts'
import { aiffOf, decodeMp3Buffer, flacOf, mp3Of, noise, tone, tune, wavOf } from './make-audio.ts'
import { Preview } from './preview.ts'

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'analyse-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

function write(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name)
  fs.writeFileSync(file, bytes)
  return file
}

/** An A minor chord over a kick on every beat of 125 BPM, with a hi-hat between the beats. */
function song({ seconds = 12, rate = 44_100 }: { seconds?: number; rate?: number } = {}): Float32Array {
  const hiss = noise(5)
  return Float32Array.from({ length: seconds * rate }, (_, i) => {
    const time = i / rate
    const turn = 2 * Math.PI * time
    const chord = [110, 220, 261.63, 329.63].reduce((sum, hz) => sum + 0.06 * Math.sin(turn * hz), 0)
    const sinceBeat = time % 0.48
    const kick = 0.6 * Math.sin(2 * Math.PI * 55 * sinceBeat) * Math.exp(-sinceBeat * 10)
    const hat = 0.1 * hiss() * Math.exp(-((time + 0.24) % 0.48) * 60)
    return chord + kick + hat
  })
}

describe('analyse', () => {
  test('measures everything about a WAV in one pass', async () => {
    const sound = song()
    const file = write('song.wav', wavOf([sound, sound], { bits: 24 }))
    const shares: number[] = []
    const analysis = await analyse(file, { onProgress: (share) => shares.push(share) })
    expect(analysis).toMatchObject({
      ...{ format: 'wav', duration_seconds: 12, sample_rate: 44_100, channels: 2, bitrate_kbps: 2117 },
      ...{ song_key: 'Am', faults: [], playable: true },
    })
    expect(analysis.bpm).toBeCloseTo(125, 0)
    expect(analysis.loudness_lufs).toBeLessThan(-10)
    expect(analysis.true_peak_db).toBeGreaterThan(-6)
    expect([analysis.overview.length, analysis.detail.length]).toEqual([3200, 1800])
    expect(shares.at(-1)).toBe(1)
    expect([...shares].sort((a, b) => a - b)).toEqual(shares)
  })

  test('returns the same for WAV, AIFF and FLAC, and close values for MP3', async () => {
    const sound = song({ seconds: 10 })
    const repeatedRuns = await Promise.all([
      analyse(write('a.wav', wavOf([sound]))),
      analyse(write('a.aiff', aiffOf([sound]))),
      analyse(write('a.flac', flacOf([sound]))),
    ])
    const results = repeatedRuns.map(({ bpm, song_key, loudness_lufs, true_peak_db }) => [
      bpm,
      song_key,
      loudness_lufs,
      true_peak_db,
    ])
    expect([results[1], results[2]]).toEqual([results[0], results[0]])
    const mp3 = await analyse(write('a.mp3', await mp3Of([sound])))
    expect([mp3.format, mp3.channels, mp3.song_key, mp3.bitrate_kbps]).toEqual(['mp3', 1, 'Am', 128])
    expect(mp3.bpm).toBeCloseTo(125, 0)
    expect(mp3.loudness_lufs).toBeCloseTo(repeatedRuns[0]!.loudness_lufs - 0.45, 0)
  })

  test('uses the genre’s range as a hint', async () => {
    const file = write('hint.wav', wavOf([song()]))
    expect((await analyse(file, { tempoRange: [60, 70] })).bpm).toBeCloseTo(62.5, 0)
  })

  test('measures the first two of more than two channels and returns the number of channels', async () => {
    const channels = Array.from({ length: 6 }, () => tone({ hz: 440, seconds: 2 }))
    expect(await analyse(write('six.wav', wavOf(channels, { extensible: true })))).toMatchObject({
      channels: 6,
      playable: true,
    })
  })

  test('reports silence and less than one second of audio as warnings', async () => {
    const silent = await analyse(write('silent.wav', wavOf([new Float32Array(44_100 * 5)])))
    const short = await analyse(write('short.wav', wavOf([tone({ hz: 440, seconds: 0.5 })])))
    expect([silent.faults[0]?.code, silent.playable, silent.bpm, silent.song_key]).toEqual(['silent', true, null, null])
    expect([short.faults[0]?.code, short.playable]).toEqual(['too_short', true])
    expect([silent.loudness_lufs, silent.true_peak_db]).toEqual([-70, -120])
  })

  test('analyses a damaged file as far as it can be decoded, and marks it as not playable', async () => {
    const bytes = wavOf([song()])
    const analysis = await analyse(write('cut.wav', bytes.subarray(0, bytes.length / 2)))
    expect(analysis).toMatchObject({ playable: false, faults: [{ code: 'truncated' }] })
    expect(analysis.duration_seconds).toBeCloseTo(6, 2)
  })

  test.each([
    ['empty_file', Buffer.alloc(0)],
    ['not_audio', Buffer.from('hello')],
  ])('reports a fault for a file without audio: %s', async (code, bytes) => {
    const analysis = await analyse(write('mix.flac', bytes))
    expect(analysis).toMatchObject({
      format: 'flac',
      playable: false,
      faults: [{ code }],
      bpm: null,
      duration_seconds: 0,
    })
    expect(analysis.overview.length).toBe(3200)
  })

  test('rejects when the file does not exist', async () => {
    await expect(analyse(path.join(folder, 'nowhere.mp3'))).rejects.toThrow('ENOENT')
  })
})

/** A single sample of full scale at these seconds. */
function clickAt(second: number, { seconds, rate }: { seconds: number; rate: number }): Float32Array {
  const sound = new Float32Array(seconds * rate)
  sound[Math.round(second * rate)] = 1
  return sound
}

const secondOfHighest = (samples: Float32Array, rate: number) => {
  const levels = samples.map(Math.abs)
  return levels.indexOf(levels.reduce((a, b) => Math.max(a, b))) / rate
}

describe('preview', () => {
  test.each([8000, 22_050, 32_000, 44_100, 48_000, 96_000, 176_400])(
    'of a %s Hz source is an MP3 as long and as loud as the source',
    async (rate) => {
      const previewPath = path.join(folder, `preview-${rate}.mp3`)
      const sound = tune({ seed: 2, seconds: 2, rate })
      const source = await analyse(write('source.wav', wavOf(sound, { rate })), { previewPath })
      const preview = await analyse(previewPath)
      expect(preview).toMatchObject({ format: 'mp3', channels: 2, playable: true, faults: [] })
      expect([32_000, 44_100, 48_000]).toContain(preview.sample_rate)
      expect(Math.abs(preview.duration_seconds - 2)).toBeLessThan(0.005)
      expect(Math.abs(preview.loudness_lufs - source.loudness_lufs)).toBeLessThan(0.2)
    },
  )

  test.each([22_050, 44_100, 96_000])(
    'of a %s Hz source has each sound at its time, within a millisecond',
    async (rate) => {
      const sound = clickAt(1.234, { seconds: 3, rate })
      const previewPath = path.join(folder, `click-${rate}.mp3`)
      await analyse(write('click.wav', wavOf([sound, sound], { rate })), { previewPath })
      const { sample_rate } = await analyse(previewPath)
      const [left] = await decodeMp3Buffer(fs.readFileSync(previewPath))
      expect(Math.abs(secondOfHighest(left!, sample_rate) - 1.234)).toBeLessThan(0.001)
    },
  )

  test.each([1, 2] as const)(
    'of %s channels begins with an info frame, and all frames have the same size',
    async (channels) => {
      const previewPath = path.join(folder, 'info.mp3')
      await analyse(write('info.wav', wavOf(tune({ seed: 3, seconds: 3, channels }))), { previewPath })
      const bytes = fs.readFileSync(previewPath)
      const header = parseFrameHeader(bytes)!
      const frames = bytes.length / header.bytes - 1
      const info = parseInfoFrame(bytes.subarray(0, header.bytes), header)
      expect(info).toMatchObject({ frames, bytes: bytes.length, delay: 576 })
      expect(frames * 1152 - info!.delay - info!.padding).toBe(3 * 44_100)
      for (let at = 0; at < bytes.length; at += header.bytes) expect(parseFrameHeader(bytes, at)).toEqual(header)
    },
  )

  test.each([1, 2] as const)('of noise in %s channels keeps its bit rate', async (channels) => {
    const previewPath = path.join(folder, 'noise.mp3')
    const sound = Array.from({ length: channels }, (_, seed) => {
      const next = noise(seed + 3)
      return Float32Array.from({ length: 3 * 44_100 }, () => next())
    })
    await analyse(write('noise.wav', wavOf(sound)), { previewPath })
    const kbps = { 1: 96, 2: 160 }[channels]
    expect(await analyse(previewPath)).toMatchObject({ bitrate_kbps: kbps, channels, duration_seconds: 3 })
  })

  test('stops at a byte limit that follows from the maximum duration', async () => {
    const file = path.join(folder, 'ceiling.mp3')
    const fd = fs.openSync(file, 'w')
    const preview = await Preview.start(fd, { sample_rate: 44_100, channels: 1, max_seconds: 2 })
    const next = noise(11)
    const second = Float32Array.from({ length: 44_100 }, () => next())
    const write = () => {
      for (let n = 0; n < 20; n++) preview.push([second])
    }
    expect(write).toThrow('Preview exceeds 60000 bytes')
    fs.closeSync(fd)
    expect(fs.statSync(file).size).toBeLessThanOrEqual(60_000)
  })

  test('is written by the other encoder, at 128 kbit/s, when LAME cannot be loaded', async () => {
    const file = path.join(folder, 'fallback.mp3')
    const fd = fs.openSync(file, 'w')
    const reports: string[] = []
    const preview = await Preview.start(fd, {
      ...{ sample_rate: 44_100, channels: 1 },
      onFallback: (part, reason) => reports.push(`${part}: ${reason}`),
      createEncoder: () => {
        throw new Error('no SIMD')
      },
    })
    preview.push([tone({ hz: 440, seconds: 2 })])
    preview.finish()
    fs.closeSync(fd)
    expect(reports).toEqual(['preview_encoder: no SIMD'])
    expect(await analyse(file)).toMatchObject({ format: 'mp3', bitrate_kbps: 128, playable: true })
  })

  test('leaves no file when the audio cannot be read', async () => {
    const previewPath = path.join(folder, 'none.mp3')
    await analyse(write('none.wav', Buffer.from('nothing')), { previewPath })
    expect([fs.existsSync(previewPath), fs.existsSync(`${previewPath}.part`)]).toEqual([false, false])
  })
})
