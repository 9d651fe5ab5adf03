import { open } from 'node:fs/promises'
import { encodeDemo } from '@dubplate/demo/encode'
import { type Block, type Recipe, renderedSeconds, SAMPLE_RATE } from '@dubplate/demo/song'
import { Loudness } from '../analysis/loudness.ts'
import { Peaks } from '../analysis/peaks.ts'
import { TruePeak } from '../analysis/true-peak.ts'
import { measureQuality } from './measure-quality.ts'
import { hashSynthesiser, openMusicCache } from './music-cache.ts'
import type { RenderedTrack, RenderMessage, RenderRequest } from './music-messages.ts'

/** The forked process that generates music: it writes one recipe at a time to a file and reports its progress. */
const sendMessage = (message: RenderMessage) =>
  process.send?.(message, undefined, undefined, (error) => {
    // The parent process has exited, so nobody needs the music.
    if (error) process.exit(0)
  })

process.on('message', (request: RenderRequest) => {
  renderOrCopy(request).then(
    (rendered) => sendMessage({ kind: 'done', made: rendered }),
    (error: Error) => sendMessage({ kind: 'failed', message: error.message }),
  )
})
process.on('disconnect', () => process.exit(0))
// Ctrl+C reaches the terminal's whole process group; the parent process decides when this one exits.
process.on('SIGINT', () => {})
await warmUp()

/** Generates and discards a first bar, so that the first request runs warm code. */
async function warmUp(): Promise<void> {
  const bars = encodeDemo({ seed: 1, genre: 'house', tonic: 0, mode: 'minor', bpm: 124, version: 'Quick Hit' })
  await bars.next()
  await bars.return(undefined)
}

async function renderOrCopy({ recipe, path, cacheFolder }: RenderRequest): Promise<RenderedTrack> {
  if (cacheFolder === undefined) return renderTrack(recipe, path)
  const cache = openMusicCache(cacheFolder, await hashSynthesiser(process.argv[1]!))
  const cached = await cache.copyTo(path, recipe)
  if (cached) {
    sendMessage({ kind: 'written', bytes: cached.bytes })
    return cached
  }
  await cache.removeOutdated()
  const rendered = await renderTrack(recipe, path)
  await cache.add(recipe, rendered, path)
  return rendered
}

async function renderTrack(recipe: Recipe, path: string): Promise<RenderedTrack> {
  const loudness = new Loudness(SAMPLE_RATE, 2)
  const truePeak = new TruePeak(SAMPLE_RATE, 2)
  const peaks = new Peaks(SAMPLE_RATE)
  const measure = ({ left, right }: Block) => {
    loudness.push([left, right])
    truePeak.push([left, right])
    peaks.push(left.map((sample, n) => (sample + (right[n] ?? 0)) / 2))
  }
  const file = await open(path, 'w')
  let bytes = 0
  try {
    for await (const chunk of encodeDemo(recipe, measure)) {
      await file.write(chunk)
      bytes += chunk.length
      sendMessage({ kind: 'written', bytes })
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return {
    bytes,
    duration_seconds: renderedSeconds(recipe),
    loudness_lufs: loudness.integrated(),
    loudness_range: loudness.range(),
    true_peak_db: truePeak.decibels(),
    ...peaks.finish(),
    quality: await measureQuality(path),
  }
}
