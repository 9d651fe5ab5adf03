import { type catalogue, downloads, type InputOf } from '@dubplate/contract'
import { formatBytes } from '../format/format.ts'
import { format } from '../format/message.ts'
import { ApiError, callApi } from '../platform/api.ts'
import { usePreferences } from '../platform/preferences.ts'
import { saveAs } from '../platform/saveAs.ts'
import { type Toast, toast } from '../ui/toast.ts'
import { loadDownloads, runExclusive } from './download.ts'
import { zipFormatFor } from './downloadFormats.ts'
import type { LeftOut } from './leftOut.ts'
import { skippedReasons } from './skippedReasons.ts'
import * as texts from './texts.ts'

/** Starts the download of a zip, and says what it contains and what was left out. */
export function startBundle(bundle: downloads.Bundle, notice: Partial<Toast> = {}) {
  saveAs(bundle.url, bundle.zip)
  void loadDownloads()
  const message = format(texts.bundleContents, { count: bundle.files, size: formatBytes(bundle.bytes) })
  void toast({ title: texts.downloadStarted, message, ...notice })
  if (bundle.skipped.length)
    void toast({ title: skippedMessage(bundle), message: skippedReasons(bundle), tone: 'error' })
}

type Skipped = Pick<downloads.Bundle, 'skipped'>

const skippedMessage = ({ skipped }: Skipped) => format(texts.filesSkipped, { count: skipped.length })

export type BundleQuestion = {
  /** Also asks before a download that uses more downloads than this. */
  maxUnasked: number
  /** What the files are. */
  note: string
}

/**
 * Asks first if files were downloaded before, their last download would be used up, or they are in the member's DJ
 * library. Resolves with undefined if the member cancels.
 */
export async function confirmBundle(
  summary: downloads.DownloadSummary,
  question?: BundleQuestion,
): Promise<LeftOut | undefined> {
  const { last, repeated, in_library, uses } = summary
  if (last === 0 && repeated === 0 && in_library === 0 && uses <= (question?.maxUnasked ?? Infinity)) return {}
  const { askBeforeBundle } = await import('./confirmDownload.tsx')
  return askBeforeBundle(summary, question)
}

type ZipContents = Omit<InputOf<typeof downloads.prepareDownload>, 'format'>

/**
 * Waits until the files of a zip are converted to the format that the member has chosen. Returns what to send with the
 * request; undefined if the member cancels.
 */
export async function prepareZip(
  summary: Pick<downloads.DownloadSummary, 'conversions'>,
  contents: ZipContents,
): Promise<{ format?: downloads.ConversionFormat } | undefined> {
  const format = zipFormatFor(summary, usePreferences.getState().zipFormat)
  if (format === 'original') return {}
  const { prepareDownload } = await import('./prepareDownload.tsx')
  return (await prepareDownload({ ...contents, format })) ? { format } : undefined
}

/** Downloads all versions of one song as a zip. */
export const downloadSong = (entityId: number, title?: string): Promise<void> =>
  runExclusive(
    `song ${entityId}`,
    async () => {
      const summary = await callApi(downloads.songSummary, { entity_id: entityId })
      const answer = await confirmBundle(summary)
      const format = answer && (await prepareZip(summary, { entity_id: entityId, ...answer }))
      if (format)
        startBundle(await callApi(downloads.downloadSongBundle, { entity_id: entityId, ...answer, ...format }))
    },
    { title },
  )

type Progress = { onSong: (song: catalogue.Song, at: number) => void; signal: AbortSignal }

/** Lets the browser start one download before the next begins. */
const BUNDLE_INTERVAL_MS = 600

/**
 * Downloads songs one after the other, each as its own zip, until `signal` is aborted. Skipped versions are listed once
 * at the end; the first error that affects all songs stops the series. Resolves with the number of downloads started.
 */
export async function downloadSongs(songs: catalogue.Song[], { onSong, signal }: Progress): Promise<number> {
  let started = 0
  await runExclusive('songs', async () => {
    const skipped: downloads.Bundle['skipped'] = []
    try {
      for (const [at, song] of songs.entries()) {
        if (signal.aborted) break
        onSong(song, at)
        const bundle = await requestBundle(song)
        skipped.push(...bundle.skipped)
        if (!bundle.url) continue
        saveAs(bundle.url, bundle.zip)
        started += 1
        await new Promise((resolve) => setTimeout(resolve, BUNDLE_INTERVAL_MS))
      }
    } finally {
      void loadDownloads()
      if (skipped.length)
        void toast({ title: skippedMessage({ skipped }), message: skippedReasons({ skipped }), tone: 'error' })
    }
  })
  return started
}

/** The zip of a song; for a song with nothing left to download, only the reason, so that the others continue. */
async function requestBundle({
  entity_id,
  title,
}: catalogue.Song): Promise<Pick<downloads.Bundle, 'zip' | 'url' | 'skipped'>> {
  try {
    return await callApi(downloads.downloadSongBundle, { entity_id })
  } catch (error) {
    if (!(error instanceof ApiError) || !SINGLE_SONG_ERRORS.has(error.code)) throw error
    return { zip: '', url: '', skipped: [{ song_version_id: 0, title, why: error.message }] }
  }
}

/** Errors that concern one song, not the member. */
const SINGLE_SONG_ERRORS = new Set([
  'nothing_to_download',
  'download_limit_reached',
  'file_unavailable',
  'unknown_song',
])
