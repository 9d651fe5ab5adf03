import { membership } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { ask, dialog, expect, PASSWORD, signInThroughDialog, test } from './support.ts'

const signIn = (page: Page) => dialog(page, 'Sign In')
const openSignIn = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
const submit = (page: Page) => signIn(page).getByRole('button', { name: 'Sign in', exact: true }).click()
const email = (page: Page) => signIn(page).getByLabel('Email')
const password = (page: Page) => signIn(page).getByLabel('Password', { exact: true })

test('a wrong password is answered with a sentence, and what was typed stays', { tag: '@smoke' }, async ({ page }) => {
  await page.goto('/')
  await openSignIn(page)
  await email(page).fill('label@demo.test')
  await password(page).fill('not this one')
  await submit(page)
  await expect(signIn(page).getByRole('alert')).toHaveText('The e-mail address or the password is wrong.')
  await expect(email(page)).toHaveValue('label@demo.test')
  await expect(password(page)).toHaveValue('not this one')

  await page.keyboard.press('Escape')
  await expect(signIn(page)).toBeHidden()
  await openSignIn(page)
  await expect(email(page)).toHaveValue('label@demo.test')
  await page.reload()
  await expect(email(page)).toHaveValue('label@demo.test')
})

test('empty and mistyped fields say what is wrong with them', async ({ page }) => {
  await page.goto('/')
  await openSignIn(page)
  await expect(email(page)).toBeFocused()
  await submit(page)
  await expect(signIn(page).getByText('Invalid Email')).toBeVisible()
  await expect(signIn(page).getByText('Password is required field *')).toBeVisible()
  await expect(email(page)).toHaveAttribute('aria-invalid', 'true')
  await email(page).fill('somebody')
  await expect(signIn(page).getByText('Invalid Email')).toBeVisible()
  await email(page).fill('somebody@demo.test')
  await expect(signIn(page).getByText('Invalid Email')).toBeHidden()
})

test('back closes the dialog and leaves the page', async ({ page }) => {
  await page.goto('/newRelease')
  await openSignIn(page)
  await expect(signIn(page)).toBeVisible()
  await expect(page).toHaveURL(/\/newRelease\?dialog=sign-in$/)
  await page.goBack()
  await expect(signIn(page)).toBeHidden()
  await expect(page).toHaveURL(/\/newRelease$/)
  await expect(page.getByRole('heading', { level: 1, name: 'New releases' })).toBeVisible()
})

test('signing out ends the session here and on the server', async ({ page }) => {
  await page.goto('/')
  await signInThroughDialog(page, 'label@demo.test')
  const token = await page.evaluate(() => localStorage.getItem('dubplate.token'))
  await ask(membership.getProfile, {}, token!)

  await page
    .getByRole('banner')
    .getByRole('button', { name: /your menu/ })
    .click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  expect(await page.evaluate(() => localStorage.getItem('dubplate.token'))).toBeNull()
  await expect.poll(() => ask(membership.getProfile, {}, token!).then(String, String)).toContain('401')
})

test('signing out by any way forgets the files that unfinished uploads are read from', async ({ page }) => {
  await page.goto('/')
  await signInThroughDialog(page, 'label@demo.test')
  const stored = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open('dubplate.uploads', 1)
          opening.onupgradeneeded = () =>
            opening.result.createObjectStore('handles', { keyPath: 'id' }).put({ id: 'one' })
          opening.onsuccess = () => {
            const counting = opening.result.transaction('handles').objectStore('handles').count()
            counting.onsuccess = () => resolve(counting.result)
            opening.result.close()
          }
        }),
    )
  expect(await stored()).toBe(1)
  await page.goto('/logout')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.poll(stored).toBe(0)
})

test('a session that the server ended asks to sign in again, over the page as it is', { tag: '@smoke' }, async ({
  page,
}) => {
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

test('whoever waits for approval is told so', async ({ page }) => {
  await page.goto('/')
  await openSignIn(page)
  await signIn(page).getByRole('button', { name: 'pending@demo.test' }).click()
  await submit(page)
  await expect(signIn(page).getByRole('alert')).toHaveText(
    'Your DJ application is being read. You get a mail once it is decided.',
  )
  await expect(email(page)).toHaveValue('pending@demo.test')
})

test('whoever has yet to apply is led to the application', async ({ page }) => {
  await page.goto('/')
  await openSignIn(page)
  await signIn(page).getByRole('button', { name: 'new@demo.test' }).click()
  await submit(page)
  await expect(dialog(page, 'Are you a DJ?').getByText('You have not submitted DJ Application.')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('whoever comes for a page of their own is back on it after signing in', async ({ page }) => {
  await page.goto('/favourite-songs')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page).getByRole('button', { name: 'label@demo.test' }).click()
  await submit(page)
  await expect(signIn(page)).toBeHidden()
  await expect(page).toHaveURL(/\/favourite-songs$/)
  await expect(main.getByRole('heading', { name: 'No favourites yet' })).toBeVisible()
})
