import { membership } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { ask, dialog, expect, PASSWORD, signInThroughDialog, test } from './support.ts'

const signIn = (page: Page) => dialog(page, 'Sign In')
const submit = (page: Page) => signIn(page).getByRole('button', { name: 'Sign in', exact: true }).click()
const email = (page: Page) => signIn(page).getByLabel('Email')
const password = (page: Page) => signIn(page).getByLabel('Password', { exact: true })

test('asks a member to sign in again, over the page, when the server has ended the session', async ({ page }) => {
  await page.goto('/')
  await signInThroughDialog(page, 'label@demo.test')
  const token = await page.evaluate(() => localStorage.getItem('dubplate.token'))
  // What the page still asks for would notice by itself, and ask to sign in before the click.
  await page.waitForLoadState('networkidle')
  await ask(membership.signOut, {}, token!)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Favourite songs' }).click()
  await expect(signIn(page).getByText('Your session has ended.')).toBeVisible()
  await email(page).fill('label@demo.test')
  await password(page).fill(PASSWORD)
  await submit(page)
  await expect(signIn(page)).toBeHidden()
  await expect(page).toHaveURL(/\/favourite-songs$/)
})
