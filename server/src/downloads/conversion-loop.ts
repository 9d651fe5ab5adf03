import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import { ConversionError, type Converter, startConverter } from '../analysis/conversion/converter.ts'
import type { AppContext } from '../app-context.ts'
import { MAX_DURATION_SECONDS } from '../audio-files/faults.ts'
import { readPayload } from '../audio-files/payload.ts'
import {
  type ClaimedConversion,
  claimConversion,
  failConversion,
  releaseConversion,
  reportConversion,
  storeConversion,
} from '../media/conversions.ts'
import { builtProgram } from '../platform/project-root.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { NotStoredError } from '../platform/storage.ts'

const POLL_INTERVAL_MS = 1000
/** Analysis of uploads has the same cores. */
const MAX_AT_ONCE = 4
const REPORT_INTERVAL_MS = 500
const HEARTBEAT_INTERVAL_MS = 15_000
const MAX_ATTEMPTS = 3
const CHILD = builtProgram('analyser-child')
/** An AIFF of 24 bits has up to three times the size of its FLAC. */
const MAX_GROWTH = 4
const RESERVED_DISK_BYTES = 256 * 1024 * 1024

/**
 * Makes conversions until stopped, each in a confined process. One in progress at a stop is made again after the next
 * start.
 */
export async function startConversionLoop(ctx: AppContext): Promise<{ stop(): Promise<void> }> {
  if (!existsSync(CHILD)) throw new Error(`Analyser not built: ${CHILD} is missing`)
  const converter = startConverter({ childPath: CHILD })
  let isStopping = false
  const size = Math.max(1, Math.min(MAX_AT_ONCE, os.availableParallelism() - 1))
  const turns = Array.from({ length: size }, () =>
    repeatEvery(POLL_INTERVAL_MS, ctx.log, async () => {
      while (!isStopping && (await convertNext(ctx, converter)));
    }),
  )
  return {
    stop: async () => {
      isStopping = true
      await converter.stop()
      await Promise.all(turns.map((turn) => turn.stop()))
    },
  }
}

/** Makes the next conversion of the queue. Returns false if there is none. Safe to be killed at any point. */
export async function convertNext(ctx: AppContext, converter: Pick<Converter, 'convert'>): Promise<boolean> {
  const { sql, log } = ctx
  const claimed = await claimConversion(sql)
  if (!claimed) return false
  if (claimed.attempts > MAX_ATTEMPTS) {
    await failConversion(sql, claimed, 'the process crashed')
    return true
  }
  let progress = 0
  const report = () =>
    reportConversion(sql, claimed, progress).catch((error) => log.warn(error, 'Could not report a conversion'))
  const heartbeat = setInterval(() => void report(), HEARTBEAT_INTERVAL_MS)
  let reportedAt = 0
  const onProgress = (share: number) => {
    progress = share
    if (performance.now() - reportedAt < REPORT_INTERVAL_MS) return
    reportedAt = performance.now()
    void report()
  }
  try {
    await convertFile(ctx, converter, { ...claimed, onProgress })
  } catch (error) {
    const isFault = (error instanceof ConversionError && error.kind === 'failed') || error instanceof NotStoredError
    if (!isFault) {
      await releaseConversion(sql, claimed).catch(() => {})
      if (!(error instanceof ConversionError)) throw error
      return true
    }
    log.warn(
      { conversion_id: claimed.conversion_id, sha256: claimed.sha256, reason: error.message },
      'Conversion failed',
    )
    await failConversion(sql, claimed, error.message.slice(0, 200))
  } finally {
    clearInterval(heartbeat)
  }
  return true
}

async function convertFile(
  ctx: AppContext,
  converter: Pick<Converter, 'convert'>,
  { onProgress, ...claimed }: ClaimedConversion & { onProgress: (share: number) => void },
): Promise<void> {
  const { storage } = ctx
  const free = await storage.freeBytes()
  if (free !== undefined && free < claimed.bytes * MAX_GROWTH + RESERVED_DISK_BYTES)
    throw new ConversionError('failed', 'too little disk space is free')
  const original = await storage.onDisk('audio', claimed.sha256)
  const target = await storage.scratch('conversion')
  try {
    const { format } = claimed
    await converter.convert({
      ...{ source: original.path, target, format, onProgress },
      maxDurationSeconds: MAX_DURATION_SECONDS,
    })
    await storeConversion(ctx, claimed, { path: target, body: await readPayload(target, format) })
  } finally {
    await rm(target, { force: true })
    await original.done()
  }
}
