import { newsletter } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, follow, press } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'

const title = (name: string) => page.getByRole('heading', { level: 2, name, exact: true })
const main = page.getByRole('main')

test('confirms a subscription once, however often the page is shown', async () => {
  fakeApi.reply(newsletter.confirmSubscription, { email: 'reader@pool.test' })
  await openApp('/newsletter/confirm/token-1')
  await expect.element(title('You’re subscribed')).toBeVisible()
  await expect.element(main).toHaveTextContent('reader@pool.test')
  await follow(main, 'Go home')
  await expect.poll(currentUrl).toBe('/')
  history.back()
  await expect.element(title('You’re subscribed')).toBeVisible()
  expect(fakeApi.inputsOf(newsletter.confirmSubscription)).toEqual([{ token: 'token-1' }])
})

test('says what to do with a link that is not valid', async () => {
  fakeApi.rejectWith(newsletter.confirmSubscription, { code: 'invalid_link', message: 'This link has expired.' })
  await openApp('/newsletter/confirm/token-2')
  await expect.element(title('Couldn’t confirm your subscription')).toBeVisible()
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('This link has expired. Request a new link at the bottom of this page.')
  await expect.element(main.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

test('tries again after the server failed', async () => {
  fakeApi.rejectWith(newsletter.unsubscribe, { code: 'internal_error', message: 'The server has a problem.' })
  await openApp('/newsletter/leave/token-3')
  await expect.element(title('Couldn’t unsubscribe')).toBeVisible()
  fakeApi.reply(newsletter.unsubscribe, { email: 'reader@pool.test' })
  await press(main, 'Try again')
  await expect.element(title('You’re unsubscribed')).toBeVisible()
})

test('unsubscribes at once, and again after that was undone', async () => {
  fakeApi.reply(newsletter.unsubscribe, { email: 'reader@pool.test' })
  fakeApi.reply(newsletter.resubscribe, { email: 'reader@pool.test' })
  await openApp('/newsletter/leave/token-4')
  await expect.element(title('You’re unsubscribed')).toBeVisible()
  await press(main, 'Resubscribe')
  await expect.element(title('You’re subscribed again')).toBeVisible()
  await follow(main, 'Unsubscribe')
  await expect.element(title('You’re unsubscribed')).toBeVisible()
  expect(fakeApi.inputsOf(newsletter.unsubscribe)).toEqual([{ token: 'token-4' }, { token: 'token-4' }])
})
