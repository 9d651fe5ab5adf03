import { digging } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const mute = (overrides: Partial<digging.Mute>): digging.Mute => ({
  ...{ mute_id: 1, kind: 'artist', name: 'Ada Vale', artist: null, entity_id: null, genre_id: null },
  muted_at: '2026-11-22T10:00:00Z',
  ...overrides,
})

test('lists what is muted, and removes a mute', async () => {
  const mutes = [mute({}), mute({ mute_id: 2, kind: 'song', name: 'Too loud', artist: 'Bo', entity_id: 5 })]
  fakeApi.reply(digging.getMutes, { mutes })
  fakeApi.reply(digging.changeMutes, ({ remove = [] }) => ({
    mutes: mutes.filter(({ mute_id }) => !(remove as number[]).includes(mute_id)),
  }))
  signInAs(makeProfile())
  await openApp('/account/muted')
  await expect.element(page.getByRole('link', { name: 'Too loud' })).toHaveAttribute('href', '/song/5')
  await expect.element(page.getByText('Song · Bo')).toBeVisible()
  await page.getByRole('button', { name: 'Unmute Ada Vale' }).click()
  await expect.element(page.getByText('Unmuted “Ada Vale”.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Ada Vale' })).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(digging.changeMutes)).toEqual([{ remove: [1] }])
})

test('says how to mute when nothing is muted', async () => {
  signInAs(makeProfile())
  await openApp('/account/muted')
  await expect.element(page.getByText('Nothing muted yet')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Dig' })).toHaveAttribute('href', '/dig/new')
})
