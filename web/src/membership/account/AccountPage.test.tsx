import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { currentUrl, dialogNamed, press } from '../../../test/locators.ts'
import { openApp } from '../../../test/openApp.tsx'

test('asks a visitor to sign in, over the requested screen', async () => {
  await openApp('/account/security')
  await press(page.getByRole('main'), 'Sign in')
  await expect.element(dialogNamed('Sign In')).toBeVisible()
  expect(currentUrl()).toBe('/account/security?dialog=sign-in')
})
