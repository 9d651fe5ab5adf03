import { downloads, library } from '@dubplate/contract'
import { CARDS, createSubscriber, openSignedIn } from './members.ts'
import { callApi, dialog, expect, getDemoSongs, test } from './support.ts'

type StoredFile = { name: string; bytes: number }

/** What the fake server for the providers has stored. */
async function getStoredFiles(provider: 'dropbox' | 'google'): Promise<StoredFile[]> {
  const response = await fetch(`${process.env.CLOUD_URL}/files.json`)
  return ((await response.json()) as Record<typeof provider, StoredFile[]>)[provider]
}

test('connects Dropbox, sends the crate and new crate songs, and disconnects', async ({ page }) => {
  // The demo renders its music on first request.
  test.slow()
  const { token } = await createSubscriber('Cloud DJ', CARDS.pays)
  const [first, second, added] = await getDemoSongs(3)
  await callApi(library.crateChange, { song_ids: [first!.entity_id, second!.entity_id] }, token)

  await openSignedIn(page, token, '/account/cloud')
  await page.getByRole('button', { name: 'Connect Dropbox' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/\/account\/cloud$/)
  await expect(page.getByText(/dj@dropbox\.test/)).toBeVisible()

  await page.getByRole('switch', { name: 'Always send my crate' }).click()
  await expect(page.getByRole('switch', { name: 'Always send my crate' })).toBeChecked()

  await page.goto('/crate')
  await page.getByRole('button', { name: 'Send to cloud storage' }).click()
  const send = dialog(page, 'Send to Dropbox or Google Drive')
  await send.getByRole('button', { name: 'Send 2 files' }).click()
  await page.getByRole('button', { name: 'See progress' }).click()
  await expect(page.getByText('2 sent')).toBeVisible({ timeout: 60_000 })
  expect((await getStoredFiles('dropbox')).map(({ name }) => name)).toEqual(
    expect.arrayContaining([expect.stringContaining(first!.title), expect.stringContaining(second!.title)]),
  )
  const { downloads: used } = await callApi(downloads.customerDownloads, {}, token)
  expect(Object.values(used)).toEqual([1, 1])

  await callApi(library.crateChange, { song_ids: [added!.entity_id] }, token)
  await expect(page.getByText('From your crate', { exact: false })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('1 sent')).toBeVisible({ timeout: 60_000 })

  await page.getByRole('button', { name: 'Disconnect Dropbox' }).click()
  await dialog(page, 'Disconnect Dropbox?').getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByRole('button', { name: 'Connect Dropbox' })).toBeVisible()
  await expect(page.getByText('2 sent')).toBeHidden()
})

test('a member who does not allow access reads that nothing was connected', async ({ page }) => {
  const { token } = await createSubscriber('Careful DJ', CARDS.pays)
  await openSignedIn(page, token, '/account/cloud')
  await page.getByRole('button', { name: 'Connect Google Drive' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/cloud\/google-drive/)
  await expect(page.getByText('Access wasn’t given, so nothing was connected.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to cloud storage' }).click()
  await expect(page.getByRole('button', { name: 'Connect Google Drive' })).toBeVisible()
})
