import { rm } from 'node:fs/promises'
import { setInterval } from 'node:timers'
import { type Analyser, AnalyserFailure, isOutOfSpace } from '../audio/analyser.ts'
import { type Analysis, isWarning } from '../audio/analysis.ts'
import { usualTempoRange } from '../audio/genre-tempo.ts'
import { type Again, claimAgain, markDone, markFailed, takeBack, tellAlive, tellShare } from '../audio/reanalysis.ts'
import { lockContent, renewAnalysis } from '../audio/shelf.ts'
import { waveOf } from '../audio/wave.ts'
import { genreOfFile, renewVersions, takeRenewed } from '../catalogue/renewed-files.ts'
import { keptTags } from '../imports/origins.ts'
import { readTags } from '../imports/tags.ts'
import { databaseIsAway } from '../platform/db.ts'
import { storeFailed } from '../platform/serve.ts'
import { NotStoredError } from '../platform/storage.ts'
import type { World } from '../world.ts'
import { forgetPreview } from './removed-files.ts'

const SIGN_OF_LIFE_MS = 15_000
const TELL_EVERY_MS = 400

/**
 * Analyses a stored file again that staff asked for. Answers false when none waits. Safe to be killed at any line: what is
 * not finished is begun anew.
 */
export async function renewNext(world: World, analyser: Analyser): Promise<boolean> {
  const again = await claimAgain(world.sql)
  if (!again) return false
  const { sql, log } = world
  const alive = setInterval(() => {
    tellAlive(sql, again).catch((error) => log.warn(error, 'Could not send the heartbeat of a re-analysis'))
  }, SIGN_OF_LIFE_MS)
  try {
    await renew(world, analyser, again)
  } catch (error) {
    await letGo(world, again, error)
  } finally {
    clearInterval(alive)
  }
  return true
}

async function letGo({ sql, log }: World, again: Again, error: unknown): Promise<void> {
  if (error instanceof NotStoredError) return markFailed(sql, again, 'The file is missing from storage.')
  const isStop = error instanceof AnalyserFailure && error.kind === 'stopped'
  const isAway = isStop || isOutOfSpace(error) || databaseIsAway(error) || storeFailed(error)
  await takeBack(sql, again, { counted: !isAway }).catch(() => {})
  if (isStop) return
  if (!(error instanceof AnalyserFailure)) throw error
  log.warn({ file_id: again.file_id, reason: error.reason }, 'Re-analysis of a stored file failed')
}

async function renew(world: World, analyser: Analyser, again: Again): Promise<void> {
  const { storage, sql } = world
  const original = await storage.onDisk('audio', again.sha256)
  const previewPath = await storage.scratch('preview.mp3')
  try {
    const tags = await readTags(original.path, { pictures: false })
    const genre = (await genreOfFile(sql, again.file_id)) ?? tags.genres[0]
    const analysis = await analyser.analyse(original.path, {
      previewPath,
      ...(genre ? { tempoRange: usualTempoRange(genre) } : {}),
      onProgress: tellProgress(world, again),
    })
    const fault = faultOf(analysis)
    if (fault !== undefined) return await markFailed(sql, again, fault)
    await shelve(world, again, { analysis, previewPath, tag: keptTags(tags) })
    await takeRenewed(sql, again.file_id, again.asked_by)
    await markDone(sql, again)
  } finally {
    await rm(previewPath, { force: true })
    await original.done()
  }
}

/** What keeps the values as they are: a file that cannot be heard tells nothing. */
function faultOf({ playable, duration_seconds, faults }: Analysis): string | undefined {
  if (playable && duration_seconds > 0) return undefined
  return faults.find((fault) => !isWarning(fault))?.message ?? 'No audio could be detected in the file.'
}

type Renewed = { analysis: Analysis; previewPath: string; tag: object }

async function shelve(
  { storage, sql: pool }: World,
  { file_id }: Again,
  { analysis, previewPath, tag }: Renewed,
): Promise<void> {
  const preview = await storage.keepFile('previews', previewPath, '.mp3')
  const replaced = await pool.begin(async (sql) => {
    await lockContent(sql, preview.sha256)
    // Another file with this preview may have been thrown away this very moment.
    if (!(await storage.has('previews', preview.sha256, '.mp3')))
      await storage.keepFile('previews', previewPath, '.mp3')
    const had = await renewAnalysis(sql, file_id, { analysis, preview })
    const { duration_seconds, loudness_lufs, overview } = analysis
    await renewVersions(sql, file_id, { duration_seconds, loudness_lufs, wave: waveOf(overview), tag })
    return had
  })
  if (replaced !== undefined) await pool.begin((sql) => forgetPreview(sql, storage, replaced))
}

/** The share of the file that was read, written down a few times a second at most. */
function tellProgress({ sql, log }: World, again: Again): (share: number) => void {
  let toldAt = 0
  return (share) => {
    if (Date.now() - toldAt < TELL_EVERY_MS) return
    toldAt = Date.now()
    tellShare(sql, again, share).catch((error: unknown) =>
      log.warn(error, 'Could not save the progress of a re-analysis'),
    )
  }
}
