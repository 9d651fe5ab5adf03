import { downloads } from '@dubplate/contract'
import { create } from 'zustand'
import { goTo, openDialog } from '../platform/address.ts'
import { ask, RefusalError } from '../platform/api.ts'
import { byteSize, plural } from '../platform/format.ts'
import { isSignedIn, useSession } from '../platform/session.ts'
import { toast, toastTrouble } from '../ui/toast.ts'

type Downloads = {
  /** Downloads used, by song_version_id. */
  used: ReadonlyMap<number, number>
  /** What is being fetched now: 'version 12', 'song 7', 'crate'. */
  busy: ReadonlySet<string>
}

export const useDownloads = create<Downloads>(() => ({ used: new Map(), busy: new Set() }))

export const isBusy = (what: string) => (state: Downloads) => state.busy.has(what)

/** Fetches the ticks, or forgets them when nobody is signed in. */
export async function loadDownloads() {
  if (!isSignedIn()) return useDownloads.setState({ used: new Map() })
  // Without the ticks every download still works, and the server still counts.
  const reply = await ask(downloads.customerDownloads, {}).catch(() => undefined)
  if (!reply) return
  useDownloads.setState({ used: new Map(Object.entries(reply.downloads).map(([id, used]) => [Number(id), used])) })
}

useSession.subscribe((now, before) => {
  if (now.token !== before.token) void loadDownloads()
})

/** Hands an address to the browser's own download; the page stays. */
function startTransfer(url: string, name: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}

function explain(error: unknown) {
  if (error instanceof RefusalError && error.code === 'subscription_required') return goTo('/subscription/plans')
  // Another page, or another device, has used what this one still offers.
  if (error instanceof RefusalError && error.code === 'download_limit_reached') void loadDownloads()
  void toastTrouble('Not downloaded', error)
}

function setBusy(what: string, on: boolean) {
  useDownloads.setState(({ busy }) => {
    const next = new Set(busy)
    if (on) next.add(what)
    else next.delete(what)
    return { busy: next }
  })
}

/** Runs one download at a time for each control; a visitor is asked to sign in, a refusal is explained. */
async function whileBusy(what: string, work: () => Promise<void>) {
  if (!isSignedIn()) return openDialog('sign-in')
  if (useDownloads.getState().busy.has(what)) return
  setBusy(what, true)
  try {
    await work()
  } catch (error) {
    explain(error)
  } finally {
    setBusy(what, false)
  }
}

/** Downloads one version and sets its ticks. */
export const downloadVersion = (songVersionId: number): Promise<void> =>
  whileBusy(`version ${songVersionId}`, async () => {
    const file = await ask(downloads.downloadVersion, { version: songVersionId })
    startTransfer(file.url, file.file_name)
    useDownloads.setState(({ used }) => ({ used: new Map(used).set(songVersionId, file.used) }))
    void toast({ title: 'Download started', message: file.file_name })
  })

function startBundle(bundle: downloads.Bundle) {
  startTransfer(bundle.url, bundle.zip)
  void loadDownloads()
  void toast({ title: 'Download started', message: `${plural(bundle.files, 'file')}, ${byteSize(bundle.bytes)}` })
  if (bundle.skipped.length) void toast({ title: leftOut(bundle), message: reasons(bundle), tone: 'trouble' })
}

const leftOut = ({ skipped }: downloads.Bundle) => `${plural(skipped.length, 'version')} left out`

/** Each reason once, with the first songs it holds for. */
function reasons({ skipped }: downloads.Bundle): string {
  const titles = new Map<string, string[]>()
  for (const { why, title } of skipped) titles.set(why, [...(titles.get(why) ?? []), title])
  return [...titles]
    .map(([why, songs]) => {
      const more = songs.length > 3 ? ` and ${songs.length - 3} more` : ''
      return `${why.replace(/\.$/, '')}: ${songs.slice(0, 3).join(', ')}${more}.`
    })
    .join(' ')
}

/** Downloads all versions of one song as a zip. */
export const downloadSong = (entityId: number): Promise<void> =>
  whileBusy(`song ${entityId}`, async () =>
    startBundle(await ask(downloads.downloadSongBundle, { entity_id: entityId })),
  )

/** Downloads the crate, or one genre of it, as a zip. */
export const downloadCrate = (genreId?: number): Promise<void> =>
  whileBusy('crate', async () => startBundle(await ask(downloads.downloadCrateBundle, { genre_id: genreId })))
