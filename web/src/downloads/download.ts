import { type catalogue, downloads } from '@dubplate/contract'
import { create } from 'zustand'
import { goTo, openDialog } from '../platform/address.ts'
import { ApiError, callApi } from '../platform/api.ts'
import { formatBytes, plural } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { saveAs } from '../platform/saveAs.ts'
import { isSignedIn, useSession } from '../platform/session.ts'
import { type Toast, toast, toastError } from '../ui/toast.ts'
import * as texts from './texts.ts'

type Downloads = {
  /** Downloads used, by song_version_id. */
  used: ReadonlyMap<number, number>
  /** What is being fetched now: 'version 12', 'song 7', 'crate'. */
  busy: ReadonlySet<string>
}

export const useDownloads = create<Downloads>(() => ({ used: new Map(), busy: new Set() }))

export const isBusy = (key: string) => (state: Downloads) => state.busy.has(key)

/** Fetches the ticks, or forgets them when nobody is signed in. */
export async function loadDownloads() {
  if (!isSignedIn()) return useDownloads.setState({ used: new Map() })
  // Without the ticks every download still works, and the server still counts.
  const reply = await callApi(downloads.customerDownloads, {}).catch(() => undefined)
  if (!reply) return
  useDownloads.setState({ used: new Map(Object.entries(reply.downloads).map(([id, used]) => [Number(id), used])) })
}

useSession.subscribe((now, before) => {
  if (now.token !== before.token) void loadDownloads()
})

function showError(error: unknown) {
  if (error instanceof ApiError && error.code === 'subscription_required') return goTo('/subscription/plans')
  // Another page, or another device, has used what this one still offers.
  if (error instanceof ApiError && error.code === 'download_limit_reached') void loadDownloads()
  void toastError(texts.downloadFailed, error)
}

function setBusy(key: string, on: boolean) {
  useDownloads.setState(({ busy }) => {
    const next = new Set(busy)
    if (on) next.add(key)
    else next.delete(key)
    return { busy: next }
  })
}

/** Runs one download at a time for each control; a visitor is asked to sign in, a refusal is explained. */
export async function runExclusive(key: string, task: () => Promise<void>) {
  if (!isSignedIn()) return openDialog('sign-in')
  if (useDownloads.getState().busy.has(key)) return
  setBusy(key, true)
  try {
    await task()
  } catch (error) {
    showError(error)
  } finally {
    setBusy(key, false)
  }
}

/** Downloads one version and sets its ticks. */
export const downloadVersion = (songVersionId: number): Promise<void> =>
  runExclusive(`version ${songVersionId}`, async () => {
    const file = await callApi(downloads.downloadVersion, { version: songVersionId })
    saveAs(file.url, file.file_name)
    useDownloads.setState(({ used }) => ({ used: new Map(used).set(songVersionId, file.used) }))
    void toast({ title: texts.downloadStarted, message: file.file_name })
  })

/** Starts the transfer of a zip, and says what it has and what it left out. */
export function startBundle(bundle: downloads.Bundle, notice: Partial<Toast> = {}) {
  saveAs(bundle.url, bundle.zip)
  void loadDownloads()
  const message = `${plural(bundle.files, 'file')}, ${formatBytes(bundle.bytes)}`
  void toast({ title: texts.downloadStarted, message, ...notice })
  if (bundle.skipped.length)
    void toast({ title: skippedMessage(bundle), message: skippedReasons(bundle), tone: 'trouble' })
}

type Skipped = Pick<downloads.Bundle, 'skipped'>

const skippedMessage = ({ skipped }: Skipped) => format(texts.filesSkipped, { count: skipped.length })

/** Each reason once, with the first songs it holds for. */
function skippedReasons({ skipped }: Skipped): string {
  const titles = new Map<string, string[]>()
  for (const { why: reason, title } of skipped) titles.set(reason, [...(titles.get(reason) ?? []), title])
  return [...titles]
    .map(([reason, songs]) => {
      const remainingCount = songs.length > 3 ? ` and ${songs.length - 3} more` : ''
      return `${reason.replace(/\.$/, '')}: ${songs.slice(0, 3).join(', ')}${remainingCount}.`
    })
    .join(' ')
}

/** Downloads all versions of one song as a zip. */
export const downloadSong = (entityId: number): Promise<void> =>
  runExclusive(`song ${entityId}`, async () =>
    startBundle(await callApi(downloads.downloadSongBundle, { entity_id: entityId })),
  )

type Progress = { onSong: (song: catalogue.Song, at: number) => void; signal: AbortSignal }

/** Time for the browser to take one transfer up before it is given the next. */
const BUNDLE_INTERVAL_MS = 600

/**
 * Downloads songs, each as a zip of its own, one after the other until told to stop. What a song's zip left out is said
 * at the end, once; the first refusal ends it. Answers with how many were started.
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
        void toast({ title: skippedMessage({ skipped }), message: skippedReasons({ skipped }), tone: 'trouble' })
    }
  })
  return started
}

/** A song's zip; of a song with nothing left to download only why, so that the others go on. */
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

/** Refusals that say something about one song, not about whoever asks. */
const SINGLE_SONG_ERRORS = new Set([
  'nothing_to_download',
  'download_limit_reached',
  'file_unavailable',
  'unknown_song',
])
