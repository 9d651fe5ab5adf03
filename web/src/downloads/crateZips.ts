import { downloads } from '@dubplate/contract'
import { create } from 'zustand'
import { format } from '../format/message.ts'
import type { StartedAction } from '../membership/pendingAction.ts'
import { ApiError, callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import type { Toast } from '../ui/toast.ts'
import { confirmBundle, prepareZip, startBundle } from './bundles.ts'
import { runExclusive } from './download.ts'
import * as texts from './texts.ts'

/** The zip after those already started. */
export type NextZip = Pick<downloads.Bundle, 'part' | 'parts'> & {
  continue_from: number
  /** What the files of all zips are converted to; by default, they are originals. */
  format?: downloads.ConversionFormat | undefined
  /** The member whose crate it is. */
  customer_id: number
}

const KEY = 'dubplate.next-zip'

const readStored = (): NextZip | null => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}

/** Stored for the tab, so that a reload does not lose the rest of a crate. */
const useNext = create<{ next: NextZip | null }>(() => ({ next: readStored() }))

function setNext(next: NextZip | null) {
  useNext.setState({ next })
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Some private windows do not allow storage: the next zip is then offered until the page is reloaded.
  }
}

/** The next zip of the current user's crate, while there is one. */
export function useNextZip(): NextZip | null {
  const next = useNext((state) => state.next)
  const customerId = useSession(({ profile }) => profile?.customer_id)
  return next?.customer_id === customerId ? next : null
}

export const dismissNextZip = () => setNext(null)

/**
 * Downloads the crate, or one genre of it, as a zip; the first of several if it has more than 400 files. Asks first if
 * files were downloaded before, are in the DJ library, or their last download would be used up.
 */
export const downloadCrate = (genreId?: number): Promise<void> =>
  runExclusive('crate', async () => {
    const summary = await callApi(downloads.crateSummary, { genre_id: genreId })
    const answer = await confirmBundle(summary)
    const format = answer && (await prepareZip(summary, { genre_id: genreId, ...answer }))
    if (!format) return
    startDownload(await callApi(downloads.downloadCrateBundle, { genre_id: genreId, ...answer, ...format }), format)
    void queryClient.invalidateQueries({ queryKey: [downloads.crateSummary.path] })
  })

type CollectionDownload = {
  title: string
  /** Set for a top 20, which plans include separately. */
  top20_id: number | undefined
  /** Continued after signing in or paying. */
  action: StartedAction
}

/** More downloads than this are only used after a confirmation. */
const MAX_UNASKED = 10

/** `note` says in the confirmation what the files are. */
type CollectionFiles = { versions: number[]; note: string }

/**
 * Downloads versions of several songs as a zip with this title; the first of two if there are more than 400. Asks first
 * if that uses many downloads, files were downloaded before or are in the DJ library, or their last download would be used up.
 */
export const downloadCollection = (
  { title, top20_id, action }: CollectionDownload,
  loadFiles: () => Promise<CollectionFiles>,
): Promise<void> =>
  runExclusive(
    'collection',
    async () => {
      const { versions, note } = await loadFiles()
      const summary = await callApi(downloads.collectionSummary, { top20_id, versions })
      // Without the feature there is nothing to confirm: the request then says so.
      const question = { maxUnasked: MAX_UNASKED, note }
      const answer = summary.has_bundle ? await confirmBundle(summary, question) : {}
      const format = answer && (await prepareZip(summary, { versions, ...answer }))
      if (!format) return
      const input = { title, top20_id, versions, ...answer, ...format }
      startDownload(await callApi(downloads.downloadCollectionBundle, input), format)
    },
    { action },
  )

/** Downloads the zip after those already started. */
export const downloadNextZip = ({ continue_from, format }: NextZip): Promise<void> =>
  runExclusive('crate', async () => {
    try {
      if (format) {
        const { prepareDownload } = await import('./prepareDownload.tsx')
        if (!(await prepareDownload({ format, continue_from }))) return
      }
      startDownload(await callApi(downloads.downloadCrateBundle, { continue_from }), { format })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unknown_bundle') dismissNextZip()
      throw error
    }
  })

/** Starts the download of a zip and keeps the one after it, if there are several. `shown` is added to the message. */
export function startDownload(
  bundle: downloads.Bundle,
  { format: convertedTo }: Pick<NextZip, 'format'>,
  shown: Partial<Toast> = {},
) {
  const { continue_from, part, parts } = bundle
  const customer_id = useSession.getState().profile?.customer_id
  const notice = { ...shown, ...(parts > 1 && { title: format(texts.zipOfStarted, { part, parts }) }) }
  if (continue_from === null || customer_id === undefined) {
    setNext(null)
    return startBundle(bundle, notice)
  }
  const next = { continue_from, part: part + 1, parts, customer_id, ...(convertedTo && { format: convertedTo }) }
  setNext(next)
  const action = {
    label: format(texts.downloadZipOf, { part: next.part, parts }),
    run: () => void downloadNextZip(next),
  }
  startBundle(bundle, { ...notice, action })
}
