import { membership } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, memberMenu, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const dialog = dialogNamed('Sign In')

test('says why the other site did not sign the visitor in', async () => {
  await openApp('/?dialog=sign-in#sign-in-error=refused')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The sign-in provider declined your sign-in.')
  expect(currentUrl() + location.hash).toBe('/?dialog=sign-in')
})

test('says that the code from the other site has expired', async () => {
  fakeApi.rejectWith(membership.signInElsewhere, {
    code: 'link_expired',
    message: 'This sign-in has expired. Sign in again.',
  })
  await openApp('/?dialog=sign-in#elsewhere=old-code')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This sign-in has expired. Sign in again.')
  expect(currentUrl() + location.hash).toBe('/?dialog=sign-in')
  expect(fakeApi.inputsOf(membership.signInElsewhere)).toEqual([{ code: 'old-code' }])
})

test('returns to the page it was opened on after the second step', async () => {
  fakeApi.rejectWith(membership.signInElsewhere, {
    code: 'two_factor_required',
    message: 'One more step.',
    data: { token: 'for-the-second-step' },
  })
  fakeApi.reply(membership.secondStep, { token: 't', profile: makeProfile() })
  fakeApi.reply(membership.getProfile, { profile: makeProfile() })
  sessionStorage.setItem('dubplate.elsewhere-from', '"/charts"')
  await openApp('/?dialog=sign-in#elsewhere=a-code')
  await dialog.getByLabelText('Code').fill('123456')
  await press(dialog, 'Sign in')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(memberMenu).toBeVisible()
  expect(currentUrl()).toBe('/charts')
  expect(fakeApi.inputsOf(membership.secondStep)).toEqual([{ token: 'for-the-second-step', code: '123456' }])
})

test('keeps a member signed in who opens the link of another sign-in', async () => {
  signInAs(makeProfile())
  await openApp('/charts?dialog=sign-in#elsewhere=code-of-another')
  await expect.poll(currentUrl).toBe('/charts')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(memberMenu).toBeVisible()
  expect(fakeApi.inputsOf(membership.signInElsewhere)).toEqual([])
})
