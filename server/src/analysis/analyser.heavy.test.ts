import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { wasmFiles } from '../../../scripts/wasm-files.mjs'
import { type Analyser, type AnalyserError, type AnalyserOptions, startAnalyser } from './analyser.ts'
import { TARGET_FD } from './analyser-messages.ts'
import { flacOf, tone, wavOf } from './make-audio.ts'

// Inside the repository, so that the bundle can resolve its packages.
const folder = path.resolve('node_modules/.cache', `analyser-test-${process.pid}`)
const fakeChildPath = path.join(folder, 'puppet.mjs')

/**
 * Replaces the child: the file's name decides what it does. It is not confined, and writes a line beside the file at
 * every start.
 */
const FAKE_CHILD_SOURCE = `
import fs from 'node:fs'
// Blocks this thread forever, as an endless loop would, but without using the CPU.
const hang = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
process.on('disconnect', () => process.exit())
process.on('message', ({ name, hasPreviewFile }) => {
  if (hasPreviewFile) fs.writeSync(${TARGET_FD}, 'half')
  const starts = '${folder}/' + name + '.tries'
  fs.appendFileSync(starts, process.pid + ' ')
  const tries = fs.readFileSync(starts, 'utf8').trim().split(' ').length
  if (name.startsWith('crash') || (name.startsWith('dies-once') && tries === 1)) process.kill(process.pid, 'SIGKILL')
  else if (name.startsWith('stuck') || (name.startsWith('hangs-once') && tries === 1)) hang()
  else if (name.startsWith('claims')) setInterval(() => process.send({ kind: 'expected', duration_seconds: 1e9 }), 100)
  else if (name.startsWith('throw')) process.send({ kind: 'failed', message: 'it could not be opened' })
  else if (name.startsWith('long')) {
    const from = Date.now()
    process.send({ kind: 'expected', duration_seconds: 100 })
    const isDone = () => process.send({ kind: 'done', analysis: { from, to: Date.now() } })
    setTimeout(isDone, name === 'long-lasting' ? 6500 : 3500)
  } else process.send({ kind: 'done', analysis: { pid: process.pid, nice: fs.readFileSync('/proc/self/stat', 'utf8').split(' ')[18] } })
})
`

const built = path.join(folder, 'analyser-child.mjs')
const builtWithoutWasm = path.join(folder, 'without-wasm', 'analyser-child.mjs')

beforeAll(async () => {
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(fakeChildPath, FAKE_CHILD_SOURCE)
  const entry = path.join(import.meta.dirname, 'analyser-child.ts')
  for (const [file, plugins] of [[built, [wasmFiles()]] as const, [builtWithoutWasm, []] as const]) {
    const bundle = await rolldown({
      input: entry,
      platform: 'node',
      plugins: [...plugins],
      external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
    })
    await bundle.write({ file, format: 'esm' })
    await bundle.close()
  }
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

const analyserWith = (options: Partial<AnalyserOptions>): Analyser =>
  startAnalyser({
    childPath: fakeChildPath,
    size: 1,
    ...(options.childPath ? {} : { flags: [] }),
    watchdog: { base_seconds: 20, share_of_duration: 0 },
    ...options,
  })

let analyser: Analyser

/** Starts an analyser for one test. Only usable when no other test runs at the same time. */
function start(options: Partial<AnalyserOptions> = {}): Analyser {
  analyser = analyserWith(options)
  onTestFinished(analyser.stop)
  return analyser
}

const file = (name: string) => path.join(folder, name)
/** Creates an empty file: only its name matters, because the fake child reads no audio. */
const named = (name: string) => {
  fs.writeFileSync(file(name), '')
  return file(name)
}
const attemptsOf = (name: string) =>
  fs
    .readFileSync(`${file(name)}.tries`, 'utf8')
    .trim()
    .split(' ')
const pidOf = (analysis: unknown) => (analysis as { pid: number }).pid

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('the analyser', () => {
  test('analyses in a separate process, transfers typed arrays, and writes the preview', async () => {
    const sound = tone({ hz: 440, seconds: 2 })
    fs.writeFileSync(file('real.wav'), wavOf([sound, sound]))
    const onFallback = vi.fn()
    const analyser = start({ childPath: built, onFallback })
    const analysis = await analyser.analyse(file('real.wav'), { previewPath: file('real.mp3') })
    expect(analysis).toMatchObject({ format: 'wav', duration_seconds: 2, playable: true })
    expect(analysis.overview).toBeInstanceOf(Uint8Array)
    expect([analysis.overview.length, analysis.detail.length]).toEqual([3200, 300])
    expect(fs.statSync(file('real.mp3')).size).toBeGreaterThan(5000)
    expect(onFallback).not.toHaveBeenCalled()
  })

  test('works without its WebAssembly modules and reports once that they are missing', async () => {
    const sound = tone({ hz: 440, seconds: 2 })
    fs.writeFileSync(file('plain.wav'), wavOf([sound, sound]))
    const onFallback = vi.fn()
    const analyser = start({ childPath: builtWithoutWasm, onFallback })
    for (let run = 0; run < 2; run++) {
      const analysis = await analyser.analyse(file('plain.wav'), { previewPath: file('plain.mp3') })
      expect(analysis).toMatchObject({ format: 'wav', duration_seconds: 2, playable: true })
    }
    expect(fs.statSync(file('plain.mp3')).size).toBeGreaterThan(30_000)
    expect(onFallback.mock.calls).toEqual([
      ['measurements', expect.stringContaining('ENOENT')],
      ['preview_encoder', expect.stringContaining('ENOENT')],
    ])
  })

  test('reports growing progress, at most four times a second', async () => {
    const sound = tone({ hz: 440, seconds: 15 })
    fs.writeFileSync(file('long.wav'), wavOf([sound, sound]))
    const shares: number[] = []
    const from = performance.now()
    await start({ childPath: built }).analyse(file('long.wav'), {
      previewPath: file('long.mp3'),
      onProgress: (share) => shares.push(share),
    })
    expect(shares.length).toBeGreaterThan(0)
    expect(shares.length).toBeLessThanOrEqual((performance.now() - from) / 250 + 1.5)
    expect(shares.every((share, i) => share > (shares[i - 1] ?? 0) && share <= 1)).toBe(true)
  })

  test('stops at the maximum duration, refuses the audio and leaves no preview', async () => {
    const sound = tone({ hz: 440, seconds: 10 })
    fs.writeFileSync(file('days.flac'), flacOf([sound]))
    const options = { previewPath: file('days.mp3'), maxDurationSeconds: 5 }
    const analysis = await start({ childPath: built }).analyse(file('days.flac'), options)
    expect(analysis).toMatchObject({ playable: false, faults: [{ code: 'too_long' }] })
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('days.mp3'))).toEqual([])
  })

  test('starts no file while the disk has no space for its preview', async () => {
    let free = 100e6
    const analyser = start({ freeBytes: async () => free })
    const refused = analyser.analyse(named('room'), { previewPath: file('room.mp3') })
    await expect(refused).rejects.toMatchObject({ kind: 'reported', reason: expect.stringContaining('ENOSPC') })
    expect(fs.existsSync(file('room.tries'))).toBe(false)
    free = 10e9
    await analyser.analyse(named('room'), { previewPath: file('room.mp3') })
    expect(fs.readFileSync(file('room.tries'), 'utf8').trim().split(' ')).toHaveLength(1)
  })

  test('reports a file or a preview that cannot be opened, with its path', async () => {
    start({ attempts: 1, freeBytes: async () => undefined })
    const missing = analyser.analyse(file('missing.wav'))
    await expect(missing).rejects.toMatchObject({ kind: 'reported', reason: expect.stringContaining('missing.wav') })
    const unwritable = analyser.analyse(named('unwritable'), { previewPath: file('no-folder/preview.mp3') })
    await expect(unwritable).rejects.toMatchObject({ kind: 'reported', reason: expect.stringContaining('no-folder') })
  })

  test('ends a process after its file and starts a new one for the next', async () => {
    start()
    const first = pidOf(await analyser.analyse(named('one')))
    expect(isAlive(first)).toBe(false)
    expect(pidOf(await analyser.analyse(named('two')))).not.toBe(first)
  })

  test.runIf(process.platform === 'linux')('steps back behind the server: its processes are nice', async () => {
    expect(await start().analyse(named('polite'))).toMatchObject({ nice: '10' })
  })

  test('retries a file when its process is killed', async () => {
    await start().analyse(named('dies-once'))
    expect(new Set(attemptsOf('dies-once')).size).toBe(2)
  })

  test('gives up on a file that kills its process twice, names it, and continues with the next', async () => {
    start()
    const crash = analyser.analyse(named('crash.mp3'))
    const next = analyser.analyse(named('after-crash'))
    await expect(crash).rejects.toMatchObject({ name: 'AnalyserError', path: file('crash.mp3') } as AnalyserError)
    await expect(crash).rejects.toThrow(/Could not analyse .*crash\.mp3: the process exited with SIGKILL/)
    expect(attemptsOf('crash.mp3').length).toBe(2)
    expect(await next).toMatchObject({ pid: expect.any(Number) })
  })

  test('deletes the partial preview of a killed process', async () => {
    start()
    await expect(analyser.analyse(named('crash-2'), { previewPath: file('crash-2.mp3') })).rejects.toThrow()
    expect(attemptsOf('crash-2').length).toBe(2)
    expect(fs.existsSync(file('crash-2.mp3.part'))).toBe(false)
  })

  test('starts a file only once when the caller counts the attempts', async () => {
    start({ attempts: 1 })
    await expect(analyser.analyse(named('crash-once'))).rejects.toMatchObject({ kind: 'crashed' })
    expect(attemptsOf('crash-once').length).toBe(1)
  })

  test('reports why a file could not be read', async () => {
    await expect(start().analyse(named('throw'))).rejects.toThrow(/it could not be opened/)
  })

  test('has no processes once stopped, and rejects unfinished files', async () => {
    start()
    const waiting = ['stuck-1', 'stuck-2'].map((name) =>
      analyser.analyse(named(name)).catch((failure: AnalyserError) => failure.kind),
    )
    const hasStarted = () => fs.existsSync(file('stuck-1.tries')) && attemptsOf('stuck-1')[0] !== ''
    await expect.poll(hasStarted, { timeout: 20_000 }).toBe(true)
    await analyser.stop()
    expect(await Promise.all(waiting)).toEqual(['stopped', 'stopped'])
    expect(isAlive(Number(attemptsOf('stuck-1')[0]))).toBe(false)
    expect(fs.existsSync(file('stuck-2.tries'))).toBe(false)
  })
})

// Run concurrently, because these tests wait for seconds and compute nothing.
describe.concurrent('the analyser with slow processes', () => {
  function startIn({ onTestFinished }: TestContext, options: Partial<AnalyserOptions>): Analyser {
    const analyser = analyserWith(options)
    onTestFinished(analyser.stop)
    return analyser
  }

  test('distinguishes a crash, a hang and an error', async (context) => {
    const analyser = startIn(context, { attempts: 1, watchdog: { base_seconds: 6, share_of_duration: 0 } })
    const kinds = ['crash-kind', 'stuck-kind', 'throw-kind'].map((name) =>
      analyser.analyse(named(name)).catch((failure: AnalyserError) => failure.kind),
    )
    expect(await Promise.all(kinds)).toEqual(['crashed', 'hung', 'reported'])
  })

  test('retries a file when its process hangs', async (context) => {
    const analyser = startIn(context, { watchdog: { base_seconds: 6, share_of_duration: 0 } })
    await analyser.analyse(named('hangs-once'))
    expect(new Set(attemptsOf('hangs-once')).size).toBe(2)
  })

  test('ends a process that hangs, retries, and leaves none running', async (context) => {
    const analyser = startIn(context, { watchdog: { base_seconds: 3, share_of_duration: 0 } })
    await expect(analyser.analyse(named('stuck.wav'))).rejects.toThrow(
      /Could not analyse .*stuck\.wav: timed out after/,
    )
    const [first, second] = attemptsOf('stuck.wav').map(Number)
    expect([isAlive(first!), isAlive(second!)]).toEqual([false, false])
  })

  test('allows more time for a longer file', async (context) => {
    const analyser = startIn(context, { watchdog: { base_seconds: 6, share_of_duration: 0.1 } })
    expect(await analyser.analyse(named('long-lasting'))).toMatchObject({ to: expect.any(Number) })
    expect(attemptsOf('long-lasting').length).toBe(1)
  })

  test('caps the time at that of the maximum duration, whatever the file claims', async (context) => {
    const analyser = startIn(context, { attempts: 1, watchdog: { base_seconds: 6, share_of_duration: 0.1 } })
    const claiming = analyser.analyse(named('claims'), { maxDurationSeconds: 10 })
    await expect(claiming).rejects.toMatchObject({ kind: 'hung', reason: 'timed out after 7 seconds' })
  })

  test('never runs more files at once than its size', async (context) => {
    const analyser = startIn(context, { size: 2, watchdog: { base_seconds: 20, share_of_duration: 0 } })
    const all = await Promise.all(['long-1', 'long-2', 'long-3'].map((name) => analyser.analyse(named(name))))
    const times = all as unknown as { from: number; to: number }[]
    const countAt = (time: number) => times.filter(({ from, to }) => from <= time && time < to).length
    expect(Math.max(...times.map(({ from }) => countAt(from)))).toBeLessThanOrEqual(2)
  })
})
