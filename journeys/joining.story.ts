import { joining, membership, staff } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import { getMailsTo } from './mail-server.ts'
import { callApi, dialog, expect, getFirst, getToken, test } from './support.ts'

const signInDialog = (page: Page) => dialog(page, 'Sign In')
const createAccountDialog = (page: Page) => dialog(page, 'Create An Account')
const applicationDialog = (page: Page) => dialog(page, 'Are you a DJ?')
const confirmationDialog = (page: Page) => dialog(page, 'Confirm your email')
const recoveryDialog = (page: Page) => dialog(page, 'Recover Password')
const resetDialog = (page: Page) => dialog(page, 'Reset Password')

const emailField = (scope: Locator) => scope.getByLabel('Email')
const passwordField = (scope: Locator) => scope.getByLabel('Password', { exact: true })
const press = (scope: Locator, name: string) => scope.getByRole('button', { name, exact: true }).click()
const clickLink = (scope: Locator, name: string) => scope.getByRole('link', { name }).click()
const banner = (page: Page) => page.getByRole('banner')

/** Returns an email address that nobody has used. */
const makeAddress = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@joining.test`

const GOOD_PASSWORD = 'violet tram 77 drummer'

/** Waits for an email with such a link, and returns its path. */
async function waitForLink(address: string, kind: 'confirm' | 'reset-password'): Promise<string> {
  const pattern = new RegExp(`/${kind}#\\S+`)
  const find = async () =>
    (await getMailsTo(address)).findLast(({ text }) => pattern.test(text ?? ''))?.text?.match(pattern)?.[0]
  await expect.poll(find, { timeout: 60_000 }).toMatch(pattern)
  return (await find()) ?? ''
}

/** Signs up through the dialog, which then shows the application form. */
async function signUp(page: Page, address: string): Promise<void> {
  await page.goto('/')
  await press(banner(page), 'Join free')
  await createAccountDialog(page).getByLabel('DJ Name').fill('DJ Newcomer')
  await emailField(createAccountDialog(page)).fill(address)
  await passwordField(createAccountDialog(page)).fill(GOOD_PASSWORD)
  await press(createAccountDialog(page), 'Create account')
  await expect(applicationDialog(page)).toBeVisible()
}

/** Opens the emailed link and enters the password of the sign-up. */
async function confirmAddress(page: Page, address: string): Promise<void> {
  await page.goto(await waitForLink(address, 'confirm'))
  await passwordField(confirmationDialog(page)).fill(GOOD_PASSWORD)
  await press(confirmationDialog(page), 'Confirm email')
}

async function sendApplication(page: Page): Promise<void> {
  await applicationDialog(page).getByRole('radio', { name: 'Social link' }).check()
  await applicationDialog(page)
    .getByLabel('Link (SoundCloud, Mixcloud, Instagram…)')
    .fill('https://music.example/newcomer')
  await press(applicationDialog(page), 'Submit application')
}

test('a visitor signs up, applies, confirms the email, is approved and signs in', async ({ page }) => {
  const address = makeAddress('ada')
  await signUp(page, address)
  await sendApplication(page)
  await expect(applicationDialog(page).getByRole('heading', { name: 'Almost done: confirm your email' })).toBeFocused()
  await expect(applicationDialog(page).getByText(address)).toBeVisible()
  await page.reload()
  await expect(applicationDialog(page).getByText(address)).toBeVisible()

  await confirmAddress(page, address)
  await expect(confirmationDialog(page).getByText('Your email is confirmed.')).toBeVisible()
  await expect(page).toHaveURL(/\/\?dialog=confirm$/)
  await page.reload()
  await expect(confirmationDialog(page).getByText('Your email is confirmed.')).toBeVisible()
  await press(confirmationDialog(page), 'Start browsing')
  await expect(page).toHaveURL(/\/$/)

  await press(banner(page), 'Sign in')
  await expect(emailField(signInDialog(page))).toHaveValue(address)
  await passwordField(signInDialog(page)).fill(GOOD_PASSWORD)
  await press(signInDialog(page), 'Sign in')
  await expect(signInDialog(page).getByRole('alert')).toContainText('Your DJ application is in review.')

  const token = await getToken('staff@demo.test')
  const { applications } = await callApi(staff.getApplications, { search: address }, token)
  const { customer_id, version } = getFirst(applications)
  await callApi(staff.decideApplication, { customer_id, version, decision: 'approve' }, token)
  await press(signInDialog(page), 'Sign in')
  await expect(signInDialog(page)).toBeHidden()
  await expect(banner(page).getByRole('button', { name: 'DJ Newcomer, account menu' })).toBeVisible()
})

test('resets a forgotten password with the emailed link', async ({ page }) => {
  const address = makeAddress('dee')
  const { token } = await callApi(joining.signUp, { dj_name: 'Dee', email: address, password_hash: GOOD_PASSWORD })
  await callApi(joining.submitApplication, { referred_by: 'DJ Kilo' }, token)
  const link = (await waitForLink(address, 'confirm')).replace('/confirm#', '')
  await callApi(joining.confirmAddress, { token: link, password: GOOD_PASSWORD })

  await page.goto('/newRelease?dialog=sign-in')
  await emailField(signInDialog(page)).fill(address)
  await clickLink(signInDialog(page), 'Forgot password?')
  await expect(emailField(recoveryDialog(page))).toHaveValue(address)
  await press(recoveryDialog(page), 'Send link')
  await expect(signInDialog(page).getByText('Please check your email to reset your password')).toBeVisible()

  await page.goto(await waitForLink(address, 'reset-password'))
  await expect(page).toHaveURL(/\/\?dialog=reset$/)
  await passwordField(resetDialog(page)).fill('another tram 78 drummer')
  await resetDialog(page).getByLabel('Confirm password').fill('another tram 78 drummer')
  await page.keyboard.press('Enter')
  await expect(signInDialog(page).getByText('Password changed successfully.')).toBeVisible()
  await expect(emailField(signInDialog(page))).toHaveValue(address)
  const credentials = { email: address, password: 'another tram 78 drummer' }
  // The password is accepted: only the approval is missing.
  await expect(callApi(membership.signIn, credentials)).rejects.toThrow('Your DJ application is in review.')
})
