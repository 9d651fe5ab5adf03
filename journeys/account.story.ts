import { membership } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { fromBuffer } from 'yauzl'
import { createMember, MEMBER_PASSWORD, openInOtherBrowser, openSignedIn, signInByApi } from './members.ts'
import { callApi, dialog, expect, openOtherBrowser, test } from './support.ts'

const CHANGED_PASSWORD = 'amber ferry 12 organist'

const findForm = (page: Page, name: string) => page.getByRole('form', { name })
const press = (scope: Page | Locator, name: string) => scope.getByRole('button', { name, exact: true }).click()
const accountMenu = (page: Page) => page.getByRole('banner').getByRole('button', { name: /account menu$/ })

test('changing the password ends all other sessions', async ({ page, browser }) => {
  const member = await createMember('Bo Sundin')
  const other = await openInOtherBrowser(browser, member, '/account/update')
  await openSignedIn(page, member.token, '/account/change-password')
  const change = findForm(page, 'Change password')
  const [current, next, again] = ['Current password', 'New password', 'Confirm password'].map((label) =>
    change.getByLabel(label, { exact: true }),
  ) as [Locator, Locator, Locator]
  await current.fill(MEMBER_PASSWORD)
  await next.fill(CHANGED_PASSWORD)
  await again.fill(CHANGED_PASSWORD)
  await press(change, 'Change password')
  await expect(change.getByText('Password successfully changed.')).toBeVisible()

  await page.reload()
  await expect(accountMenu(page)).toBeVisible()
  await expect(findForm(page, 'Change password')).toBeVisible()
  await other.reload()
  await expect(
    dialog(other, 'Sign In').getByText('You’ve been signed out. Sign in to pick up where you left off.'),
  ).toBeVisible()
  await other.context().close()
  await callApi(membership.signIn, { email: member.email, password: CHANGED_PASSWORD })
})

test('turns on two-factor authentication, and asks for a code in another browser', async ({ page, browser }) => {
  test.slow()
  const member = await createMember('Cleo Marchetti')
  await openSignedIn(page, member.token, '/account/security')
  const part = page.getByRole('region', { name: 'Two-factor authentication' })
  await press(part, 'Turn on')
  await part.getByLabel('Current password', { exact: true }).fill(member.password)
  await press(part, 'Continue')
  const secret = ((await part.locator('code').textContent()) ?? '').replaceAll(/\s/g, '')
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  await part.getByLabel('6-digit code').fill(app.generate())
  await press(part, 'Turn on')

  const codes = part.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const saving = page.waitForEvent('download')
  await press(part, 'Download codes')
  expect((await saving).suggestedFilename()).toBe('dubplate-recovery-codes.txt')
  await press(part, 'I’ve saved my codes')
  await expect(part.getByText('Two-factor authentication is on.')).toBeVisible()

  const other = await openOtherBrowser(browser)
  await other.goto('/account/security')
  await other.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  const signIn = dialog(other, 'Sign In')
  await signIn.getByLabel('Email').fill(member.email)
  await signIn.getByLabel('Password', { exact: true }).fill(member.password)
  await press(signIn, 'Sign in')
  // Each code works once, so this takes the one of the next 30 seconds.
  await signIn.getByLabel(/Code/).fill(app.generate({ timestamp: Date.now() + 30_000 }))
  await signIn.getByLabel(/Code/).press('Enter')
  await expect(signIn).toBeHidden()
  await expect(other.getByText('Two-factor authentication is on.')).toBeVisible()
  await other.context().close()
})

test('downloads the member’s data, then deletes the account', async ({ page }) => {
  const member = await createMember('Dario Lindqvist')
  await openSignedIn(page, member.token, '/account/data')
  await press(page, 'Download my data')
  await findForm(page, 'Download my data').getByLabel('Current password', { exact: true }).fill(member.password)
  const loading = page.waitForEvent('download')
  await press(findForm(page, 'Download my data'), 'Download')
  const copy = await loading
  expect(copy.suggestedFilename()).toMatch(/\.zip$/)
  const names = await readZipNames(Buffer.concat(await (await copy.createReadStream()).toArray()))
  expect(
    names.some((name) => /profile\.json$/.test(name)),
    names.join(', '),
  ).toBe(true)

  await press(page, 'Delete account')
  const last = findForm(page, 'Delete account')
  await last.getByLabel('Enter your DJ name (Dario Lindqvist) to confirm').fill('Dario Lindqvist')
  await last.getByLabel('Current password', { exact: true }).fill(member.password)
  await press(last, 'Delete account')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(signInByApi(member.email)).rejects.toThrow('401')
})

const readZipNames = (bytes: Buffer): Promise<string[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: false }, (error, zip) => {
      if (error) return reject(error)
      const names: string[] = []
      zip.on('entry', ({ fileName }) => names.push(fileName))
      zip.on('end', () => resolve(names))
      zip.on('error', reject)
    })
  })
