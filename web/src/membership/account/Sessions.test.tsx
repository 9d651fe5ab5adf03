import { account } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { dialogNamed, press } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'

const makeSession = (session_id: number, device: string) => ({
  session_id,
  device,
  here: session_id === 1,
  ip: '192.0.2.7',
  created_at: '2026-11-20T10:00:00Z',
  seen_at: '2026-11-22T10:00:00Z',
})

const region = page.getByRole('region', { name: 'Active sessions' })
const rows = region.getByRole('listitem')

test('ends one session, then all others after a confirmation', async () => {
  let sessions = [
    makeSession(1, 'Firefox on Linux'),
    makeSession(2, 'Chrome on Android'),
    makeSession(3, 'Safari on macOS'),
    makeSession(4, 'Firefox on Windows'),
  ]
  fakeApi.reply(account.getSessions, () => ({ sessions }))
  fakeApi.reply(account.endSession, ({ session_id }) => {
    const left = sessions.filter((each) => each.here || (session_id !== null && each.session_id !== session_id))
    const ended = sessions.length - left.length
    sessions = left
    return { ended }
  })
  signInAs(makeProfile())
  await openApp('/account/security')
  await expect.poll(() => rows.elements().length).toBe(4)
  await expect.element(rows.filter({ hasText: 'Firefox on Linux' })).toHaveTextContent('This device')
  expect(rows.filter({ hasText: 'This device' }).elements()).toHaveLength(1)

  await press(region, 'Sign out Safari on macOS')
  await expect.element(rows.filter({ hasText: 'Safari on macOS' })).not.toBeInTheDocument()
  expect(rows.elements()).toHaveLength(3)
  await press(region, 'Sign out all other sessions')
  await press(dialogNamed('Sign out all other sessions?'), 'Sign out 2 sessions')
  await expect.poll(() => rows.elements().length).toBe(1)
  await expect.element(rows).toHaveTextContent('This device')
  expect(fakeApi.inputsOf(account.endSession)).toEqual([{ session_id: 3 }, { session_id: null }])
})
