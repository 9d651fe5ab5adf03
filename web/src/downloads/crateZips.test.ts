import { downloads, type membership } from '@dubplate/contract'
import { beforeEach, expect, test, vi } from 'vitest'

const tabStorage = new Map<string, string>()
const storage = {
  getItem: (key: string) => tabStorage.get(key) ?? null,
  setItem: (key: string, value: string) => void tabStorage.set(key, value),
  removeItem: (key: string) => void tabStorage.delete(key),
}
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('localStorage', storage)
vi.stubGlobal('sessionStorage', storage)
vi.stubGlobal('navigator', { onLine: true })
vi.stubGlobal('location', { hash: '', pathname: '/' })
const savedNames: string[] = []
const toasts: { title?: string; action?: { label: string; run(): void } }[] = []
const callApi = vi.fn()
vi.mock('../platform/api.ts', async (original) => ({ ...(await original<object>()), callApi }))
vi.mock('../platform/address.ts', () => ({ goTo: () => undefined, openDialog: () => undefined }))
vi.mock('../platform/saveAs.ts', () => ({ saveAs: (_url: string, name: string) => void savedNames.push(name) }))
vi.mock('../ui/toast.ts', () => ({
  toast: (options: (typeof toasts)[number]) => void toasts.push(options),
  toastError: (title: string) => void toasts.push({ title }),
}))
const { ApiError } = await import('../platform/api.ts')
const { startSession } = await import('../platform/session.ts')
const { downloadCrate, downloadNextZip } = await import('./crateZips.ts')

const zip = (part: number, parts: number, continue_from: number | null) => ({
  ...{ zip: `crate (${part} of ${parts}).zip`, url: '/bundles/x', bytes: 1e9, files: 400, skipped: [] },
  ...{ part, parts, continue_from },
})
const replies: unknown[] = []
const bundleCalls = () =>
  callApi.mock.calls.filter(([call]) => call === downloads.downloadCrateBundle).map(([, input]) => input)
const stored = () => JSON.parse(tabStorage.get('dubplate.next-zip') ?? 'null')

beforeEach(() => {
  for (const list of [savedNames, toasts, replies]) list.length = 0
  callApi.mockReset().mockImplementation(async (call) => {
    if (call === downloads.crateSummary) return { last: 0, repeated: 0, in_library: 0, uses: 0 }
    if (call !== downloads.downloadCrateBundle) return { downloads: {}, limit: 2 }
    const reply = replies.shift()
    if (reply instanceof Error) throw reply
    return reply
  })
  startSession('token', { customer_id: 7 } as membership.Profile)
})

test('offers the next of three zips each time, until the last', async () => {
  replies.push(zip(1, 3, 11), zip(2, 3, 12), zip(3, 3, null))
  await downloadCrate(4)
  expect(stored()).toEqual({ continue_from: 11, part: 2, parts: 3, customer_id: 7 })
  expect(toasts).toMatchObject([{ title: 'Zip 1 of 3 started', action: { label: 'Download zip 2 of 3' } }])
  await downloadNextZip(stored())
  await downloadNextZip(stored())
  expect(bundleCalls()).toEqual([{ genre_id: 4 }, { continue_from: 11 }, { continue_from: 12 }])
  expect(savedNames).toEqual(['crate (1 of 3).zip', 'crate (2 of 3).zip', 'crate (3 of 3).zip'])
  expect([stored(), toasts.at(-1)?.action]).toEqual([null, undefined])
})

test('stops offering a zip that the pool no longer has; keeps offering it after any other error', async () => {
  replies.push(zip(1, 2, 21), new Error('offline'))
  await downloadCrate()
  await downloadNextZip(stored())
  expect(stored()).toMatchObject({ part: 2 })
  replies.push(new ApiError(404, { code: 'unknown_bundle', message: 'Gone.', errors: [], data: null }))
  await downloadNextZip(stored())
  expect(stored()).toBeNull()
  expect(toasts.slice(1)).toEqual([{ title: 'Download failed' }, { title: 'Download failed' }])
})
