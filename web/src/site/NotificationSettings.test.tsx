import { newsletter, notices } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const option = (name: string) => page.getByRole('switch', { name, exact: true })
const ALL = { reply: true, upload: true, search: true }
const HOUSE = { genre_id: 4, name: 'House' }

beforeEach(() => {
  fakeApi.reply(notices.getChoices, { by_email: ALL })
  fakeApi.reply(newsletter.getMailing, { state: 'none', followed: [HOUSE] })
  signInAs(makeProfile())
})

test('saves each choice at once', async () => {
  fakeApi.reply(notices.saveChoices, (choices) => choices)
  await openApp('/account/notices')
  await option('My uploads').click()
  await expect.element(option('My uploads')).not.toBeChecked()
  await option('Saved searches').click()
  await expect
    .poll(() => fakeApi.inputsOf(notices.saveChoices))
    .toEqual([{ by_email: { ...ALL, upload: false } }, { by_email: { ...ALL, upload: false, search: false } }])
  await expect.element(option('Ticket replies')).toBeChecked()
})

test('takes a choice back that could not be saved', async () => {
  await openApp('/account/notices')
  fakeApi.rejectWith(notices.saveChoices, { code: 'internal_error', message: 'The server has a problem.' })
  await option('Ticket replies').click()
  await expect.element(page.getByText('Couldn’t save your changes')).toBeVisible()
  await expect.element(option('Ticket replies')).toBeChecked()
})

test('turns on the digest, and lists the followed genres', async () => {
  fakeApi.reply(newsletter.saveMailing, { state: 'subscribed' })
  fakeApi.reply(newsletter.followGenre, { followed: [] })
  await openApp('/account/notices')
  await option('Send me the weekly digest').click()
  await expect.element(option('Send me the weekly digest')).toBeChecked()
  expect(fakeApi.inputsOf(newsletter.saveMailing)).toEqual([{ subscribed: true }])
  const genre = page.getByRole('link', { name: 'House', exact: true })
  await expect.element(genre).toHaveAttribute('href', '/genres/view/4')
  await press(page, 'Unfollow House')
  await expect.element(genre).not.toBeInTheDocument()
  await expect.element(page.getByText('You don’t follow any genres yet.')).toBeVisible()
  expect(fakeApi.inputsOf(newsletter.followGenre)).toEqual([{ genre_id: 4, follow: false }])
})

test('lists the followed artists and labels', async () => {
  const kvadrat = { kind: 'label', name: 'Kvadrat' } as const
  fakeApi.reply(newsletter.getMailing, { followed_names: [kvadrat, { kind: 'artist', name: 'Mara Voss' }] })
  fakeApi.reply(newsletter.followName, { followed_names: [kvadrat] })
  await openApp('/account/notices')
  const artist = page.getByRole('link', { name: 'Mara Voss', exact: true })
  await expect.element(artist).toHaveAttribute('href', '/artist/Mara%20Voss')
  await expect.element(page.getByRole('link', { name: 'Kvadrat' })).toHaveAttribute('href', '/label/Kvadrat')
  await press(page, 'Unfollow Mara Voss')
  await expect.element(artist).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(newsletter.followName)).toEqual([{ kind: 'artist', name: 'Mara Voss', follow: false }])
})

test('offers to load choices again that could not be loaded', async () => {
  fakeApi.rejectWith(notices.getChoices, { code: 'internal_error', message: 'The server has a problem.' })
  await openApp('/account/notices')
  await expect.element(page.getByText('Couldn’t load your notification settings')).toBeVisible()
  fakeApi.reply(notices.getChoices, { by_email: ALL })
  await press(page, 'Try again')
  await expect.element(option('Ticket replies')).toBeChecked()
})
