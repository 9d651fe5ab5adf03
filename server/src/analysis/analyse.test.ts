import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyse } from './analyse.ts'
import { aiffOf, flacOf, mp3Of, noise, tone, wavOf } from './make-audio.ts'
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

describe('preview', () => {
  test.each([8000, 22_050, 32_000, 44_100, 48_000, 96_000, 176_400])(
    'of a %s Hz source is an MP3 of 128 kbit/s, as long and as loud as the source',
    async (rate) => {
      const sound = tone({ hz: 1000, seconds: 2, rate, db: -6 })
      const previewPath = path.join(folder, `preview-${rate}.mp3`)
      const source = await analyse(write('source.wav', wavOf([sound, sound], { rate })), { previewPath })
      const preview = await analyse(previewPath)
      expect(preview).toMatchObject({ format: 'mp3', bitrate_kbps: 128, channels: 2, playable: true })
      expect([32_000, 44_100, 48_000]).toContain(preview.sample_rate)
      expect(Math.abs(preview.duration_seconds - 2)).toBeLessThan(0.15)
      // LAME turns its input down by 0.45 dB at this bit rate, to keep it from clipping.
      expect(Math.abs(preview.loudness_lufs - source.loudness_lufs + 0.45)).toBeLessThan(0.2)
    },
  )

  test('stops at a byte limit that follows from the maximum duration', async () => {
    const file = path.join(folder, 'ceiling.mp3')
    const fd = fs.openSync(file, 'w')
    const preview = await Preview.start(fd, { sample_rate: 44_100, channels: 1, max_seconds: 2 })
    const second = tone({ hz: 440, seconds: 1 })
    const write = () => {
      for (let n = 0; n < 10; n++) preview.push([second])
    }
    expect(write).toThrow('Preview exceeds 48000 bytes')
    fs.closeSync(fd)
    expect(fs.statSync(file).size).toBeLessThanOrEqual(48_000)
  })

  test('leaves no file when the audio cannot be read', async () => {
    const previewPath = path.join(folder, 'none.mp3')
    await analyse(write('none.wav', Buffer.from('nothing')), { previewPath })
    expect([fs.existsSync(previewPath), fs.existsSync(`${previewPath}.part`)]).toEqual([false, false])
  })
})
