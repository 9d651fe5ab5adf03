import { rm } from 'node:fs/promises'
import { setInterval } from 'node:timers'
import { type Analyser, AnalyserError, isOutOfSpace } from '../analysis/analyser.ts'
import type { Analysis } from '../analysis/analysis.ts'
import { expectedTempo } from '../analysis/usual-tempo.ts'
import { waveOf } from '../analysis/wave.ts'
import type { AppContext } from '../app-context.ts'
import { isWarning } from '../audio-files/faults.ts'
import { tempoOfLabel } from '../catalogue/label-tempos.ts'
import { applyReanalysis, genreOfFile, updateVersions } from '../catalogue/reanalysed-files.ts'
import { readTags } from '../imports/tags.ts'
import { serializeTags } from '../imports/value-origins.ts'
import { lockContent, replaceAnalysis } from '../media/media-repository.ts'
import {
  claimReanalysis,
  markDone,
  markFailed,
  type Reanalysis,
  requeueReanalysis,
  saveProgress,
  sendHeartbeat,
} from '../media/reanalysis.ts'
import { isDatabaseUnavailable } from '../platform/db.ts'
import { isStoreError } from '../platform/error-replies.ts'
import { NotStoredError } from '../platform/storage.ts'
import { deletePreview } from './removed-files.ts'

const HEARTBEAT_INTERVAL_MS = 15_000
const PROGRESS_INTERVAL_MS = 400

/**
 * Re-analyses one stored file that staff requested. Returns false if none is queued. Safe to be killed at any point: an
 * unfinished analysis is repeated.
 */
export async function reanalyseNext(ctx: AppContext, analyser: Analyser): Promise<boolean> {
  const reanalysis = await claimReanalysis(ctx.sql)
  if (!reanalysis) return false
  const { sql, log } = ctx
  const heartbeatTimer = setInterval(() => {
    sendHeartbeat(sql, reanalysis).catch((error) => log.warn(error, 'Could not send the heartbeat of a re-analysis'))
  }, HEARTBEAT_INTERVAL_MS)
  try {
    await reanalyse(ctx, analyser, reanalysis)
  } catch (error) {
    await releaseClaim(ctx, reanalysis, error)
  } finally {
    clearInterval(heartbeatTimer)
  }
  return true
}

async function releaseClaim({ sql, log }: AppContext, reanalysis: Reanalysis, error: unknown): Promise<void> {
  if (error instanceof NotStoredError) return markFailed(sql, reanalysis, 'The file is missing from storage.')
  const isShutdown = error instanceof AnalyserError && error.kind === 'stopped'
  const isTransient = isShutdown || isOutOfSpace(error) || isDatabaseUnavailable(error) || isStoreError(error)
  await requeueReanalysis(sql, reanalysis, { countsAsAttempt: !isTransient }).catch(() => {})
  if (isShutdown) return
  if (!(error instanceof AnalyserError)) throw error
  log.warn({ file_id: reanalysis.file_id, reason: error.reason }, 'Re-analysis of a stored file failed')
}

async function reanalyse(ctx: AppContext, analyser: Analyser, reanalysis: Reanalysis): Promise<void> {
  const { storage, sql } = ctx
  const original = await storage.onDisk('audio', reanalysis.sha256)
  const previewPath = await storage.scratch('preview.mp3')
  try {
    const tags = await readTags(original.path, { pictures: false })
    const genre = await genreOfFile(sql, reanalysis.file_id)
    const label = await tempoOfLabel(sql, tags.label ?? '')
    const analysis = await analyser.analyse(original.path, {
      previewPath,
      tempoRange: expectedTempo({
        ...{ bpm: tags.bpm, genres: genre === undefined ? tags.genres : [genre, ...tags.genres] },
        relatives: [label],
      }),
      onProgress: createProgressReporter(ctx, reanalysis),
    })
    const fault = reanalysisFault(analysis)
    if (fault !== undefined) return await markFailed(sql, reanalysis, fault)
    await storeReanalysis(ctx, reanalysis, { analysis, previewPath, tag: serializeTags(tags) })
    await applyReanalysis(sql, reanalysis.file_id, reanalysis.requested_by)
    await markDone(sql, reanalysis)
  } finally {
    await rm(previewPath, { force: true })
    await original.done()
  }
}

/** Returns why the values must not change: a file that cannot be decoded gives no result. */
function reanalysisFault({ playable, duration_seconds, faults }: Analysis): string | undefined {
  if (playable && duration_seconds > 0) return undefined
  return faults.find((fault) => !isWarning(fault))?.message ?? 'No audio could be detected in the file.'
}

type ReanalysisResult = { analysis: Analysis; previewPath: string; tag: object }

async function storeReanalysis(
  { storage, sql: pool }: AppContext,
  { file_id }: Reanalysis,
  { analysis, previewPath, tag }: ReanalysisResult,
): Promise<void> {
  const preview = await storage.putFile('previews', previewPath, '.mp3')
  const replaced = await pool.begin(async (sql) => {
    await lockContent(sql, preview.sha256)
    // Another file with this preview may have been deleted at this moment.
    if (!(await storage.has('previews', preview.sha256, '.mp3'))) await storage.putFile('previews', previewPath, '.mp3')
    const replacedPreview = await replaceAnalysis(sql, file_id, { analysis, preview })
    const { duration_seconds, loudness_lufs, overview } = analysis
    await updateVersions(sql, file_id, { duration_seconds, loudness_lufs, wave: waveOf(overview), tag })
    return replacedPreview
  })
  if (replaced !== undefined) await pool.begin((sql) => deletePreview(sql, storage, replaced))
}

/** Records the progress of the file, a few times a second at most. */
function createProgressReporter({ sql, log }: AppContext, reanalysis: Reanalysis): (progress: number) => void {
  let reportedAt = 0
  return (progress) => {
    if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) return
    reportedAt = Date.now()
    saveProgress(sql, reanalysis, progress).catch((error: unknown) =>
      log.warn(error, 'Could not save the progress of a re-analysis'),
    )
  }
}
