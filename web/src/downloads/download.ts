import { type catalogue, downloads } from '@dubplate/contract'
import { create } from 'zustand'
import { askToSignIn, keepDownloadToPayFor, type StartedAction } from '../membership/pendingAction.ts'
import { goTo } from '../platform/address.ts'
import { ApiError, callApi } from '../platform/api.ts'
import { isSignedIn, useSession } from '../platform/session.ts'
import { toast, toastError } from '../ui/toast.ts'
import type { DownloadFormat } from './downloadFormats.ts'
import * as texts from './texts.ts'

type Downloads = {
  /** Downloads used, by song_version_id. */
  used: ReadonlyMap<number, number>
  /** Downloads allowed per version; 0 until it is known. */
  limit: number
  /** The downloads in progress: 'version 12', 'song 7', 'crate'. */
  busy: ReadonlySet<string>
}

export const useDownloads = create<Downloads>(() => ({ used: new Map(), limit: 0, busy: new Set() }))

export const isBusy = (key: string) => (state: Downloads) => state.busy.has(key)

/** Loads the number of used downloads, or clears it when the member is signed out. */
export async function loadDownloads() {
  if (!isSignedIn()) return useDownloads.setState({ used: new Map() })
  // Downloads work without the ticks too; the server still counts them.
  const reply = await callApi(downloads.customerDownloads, {}).catch(() => undefined)
  if (!reply) return
  useDownloads.setState({
    used: new Map(Object.entries(reply.downloads).map(([id, used]) => [Number(id), used])),
    limit: reply.limit,
  })
}

useSession.subscribe((now, before) => {
  if (now.token !== before.token) void loadDownloads()
})

/** Errors that another plan would not have. */
const PLAN_ERRORS = new Set(['plan_feature_required', 'monthly_limit_reached', 'song_not_released'])

const showPlanError = ({ message }: ApiError) =>
  void toast({
    title: texts.downloadFailed,
    message,
    tone: 'error',
    action: { label: texts.seePlans, run: () => goTo('/subscription/plans') },
  })

function showError(error: unknown, action: StartedAction) {
  if (error instanceof ApiError && error.code === 'subscription_required') {
    keepDownloadToPayFor(action)
    return goTo('/subscription/plans')
  }
  // Another tab or device has used the download this one still offered.
  if (error instanceof ApiError && error.code === 'download_limit_reached') void loadDownloads()
  if (error instanceof ApiError && PLAN_ERRORS.has(error.code)) return showPlanError(error)
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

/**
 * Runs one download at a time for each key; asks visitors to sign in, and shows errors. `action` is continued after
 * signing in or paying; by default the download of this key.
 */
export async function runExclusive(
  key: string,
  task: () => Promise<void>,
  {
    title,
    version,
    action = { kind: 'download', args: [key], title, version },
  }: { title?: string | undefined; version?: string | undefined; action?: StartedAction } = {},
) {
  if (!isSignedIn()) return askToSignIn(action.kind, action.args, action.title, action.version)
  if (useDownloads.getState().busy.has(key)) return
  setBusy(key, true)
  try {
    await task()
  } catch (error) {
    showError(error, action)
  } finally {
    setBusy(key, false)
  }
}

type DownloadOptions = {
  /** The song and the name of its version, for what a visitor is asked to sign in for. */
  title?: string
  version?: string
  /** Its song, to know whether the member may have the version in their DJ library. */
  song?: catalogue.Song | undefined
  /** The member repeats a download on purpose and is not asked first. */
  isRepeat?: boolean
  format?: DownloadFormat
}

/**
 * Downloads one version and updates its ticks. Asks first if it was downloaded before, its last download would be used
 * up, or it is in the member's DJ library.
 */
export const downloadVersion = (
  songVersionId: number,
  { title, version, song, isRepeat = false, format = 'original' }: DownloadOptions = {},
): Promise<void> =>
  runExclusive(
    `version ${songVersionId}`,
    async () => (await import('./downloadFile.ts')).downloadFile(songVersionId, { song, isRepeat, format }),
    { title, version },
  )
