import { joining, membership, staff } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import { mailsTo } from './mail-server.ts'
import { ask, dialog, expect, firstOf, test, tokenOf } from './support.ts'

const signIn = (page: Page) => dialog(page, 'Sign In')
const createAccount = (page: Page) => dialog(page, 'Create An Account')
const apply = (page: Page) => dialog(page, 'Are you a DJ?')
const confirmation = (page: Page) => dialog(page, 'Confirm your email')
const recover = (page: Page) => dialog(page, 'Recover Password')
const reset = (page: Page) => dialog(page, 'Reset Password')

const email = (within: Locator) => within.getByLabel('Email')
const password = (within: Locator) => within.getByLabel('Password', { exact: true })
const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click()
const follow = (within: Locator, name: string) => within.getByRole('link', { name }).click()
const banner = (page: Page) => page.getByRole('banner')

/** Nobody's address, another one at each run. */
const newcomer = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@joining.test`

const GOOD_PASSWORD = 'violet tram 77 drummer'

/** The path of the link in the newest mail to this address that has one like it. */
async function linkTo(address: string, kind: 'confirm' | 'reset-password'): Promise<string> {
  const pattern = new RegExp(`/${kind}#\\S+`)
  const find = async () =>
    (await mailsTo(address)).findLast(({ text }) => pattern.test(text ?? ''))?.text?.match(pattern)?.[0]
  await expect.poll(find, { timeout: 60_000 }).toMatch(pattern)
  return (await find()) ?? ''
}

/** Signs up through the dialog, up to the application. */
async function signUp(page: Page, address: string): Promise<void> {
  await page.goto('/')
  await press(banner(page), 'Create account')
  await createAccount(page).getByLabel('DJ Name').fill('DJ Newcomer')
  await email(createAccount(page)).fill(address)
  await password(createAccount(page)).fill(GOOD_PASSWORD)
  await press(createAccount(page), 'Create account')
  await expect(apply(page)).toBeVisible()
}

/** Opens the mailed link and says the password of the sign-up. */
async function confirmAddress(page: Page, address: string): Promise<void> {
  await page.goto(await linkTo(address, 'confirm'))
  await password(confirmation(page)).fill(GOOD_PASSWORD)
  await press(confirmation(page), 'Confirm email')
}

async function sendApplication(page: Page): Promise<void> {
  await apply(page).getByRole('radio', { name: 'Social link' }).check()
  await apply(page).getByLabel('Link (SoundCloud, Mixcloud, Instagram…)').fill('https://music.example/newcomer')
  await press(apply(page), 'Submit application')
}

test('a visitor becomes a member: account, application, mailed link, approval, sign-in', async ({ page }) => {
  const address = newcomer('ada')
  await signUp(page, address)
  await sendApplication(page)
  await expect(apply(page).getByRole('heading', { name: 'Almost done: confirm your email' })).toBeFocused()
  await expect(apply(page).getByText(address)).toBeVisible()
  await page.reload()
  await expect(apply(page).getByText(address)).toBeVisible()

  await confirmAddress(page, address)
  await expect(confirmation(page).getByText('Your email is confirmed.')).toBeVisible()
  await expect(page).toHaveURL(/\/\?dialog=confirm$/)
  await page.reload()
  await expect(confirmation(page).getByText('Your email is confirmed.')).toBeVisible()
  await press(confirmation(page), 'Start browsing')
  await expect(page).toHaveURL(/\/$/)

  await press(banner(page), 'Sign in')
  await expect(email(signIn(page))).toHaveValue(address)
  await password(signIn(page)).fill(GOOD_PASSWORD)
  await press(signIn(page), 'Sign in')
  await expect(signIn(page).getByRole('alert')).toContainText('Your DJ application is in review.')

  const token = await tokenOf('staff@demo.test')
  const { applications } = await ask(staff.getApplications, { search: address }, token)
  const { customer_id, version } = firstOf(applications)
  await ask(staff.decideApplication, { customer_id, version, decision: 'approve' }, token)
  await press(signIn(page), 'Sign in')
  await expect(signIn(page)).toBeHidden()
  await expect(banner(page).getByRole('button', { name: 'DJ Newcomer, account menu' })).toBeVisible()
})

test('a forgotten password is replaced through a mailed link', async ({ page }) => {
  const address = newcomer('dee')
  const { token } = await ask(joining.signUp, { dj_name: 'Dee', email: address, password_hash: GOOD_PASSWORD })
  await ask(joining.submitApplication, { referred_by: 'DJ Kilo' }, token)
  const link = (await linkTo(address, 'confirm')).replace('/confirm#', '')
  await ask(joining.confirmAddress, { token: link, password: GOOD_PASSWORD })

  await page.goto('/newRelease?dialog=sign-in')
  await email(signIn(page)).fill(address)
  await follow(signIn(page), 'Forgot password?')
  await expect(email(recover(page))).toHaveValue(address)
  await press(recover(page), 'Send link')
  await expect(signIn(page).getByText('Please check your email to reset your password')).toBeVisible()

  await page.goto(await linkTo(address, 'reset-password'))
  await expect(page).toHaveURL(/\/\?dialog=reset$/)
  await password(reset(page)).fill('another tram 78 drummer')
  await reset(page).getByLabel('Confirm password').fill('another tram 78 drummer')
  await page.keyboard.press('Enter')
  await expect(signIn(page).getByText('Password changed successfully.')).toBeVisible()
  await expect(email(signIn(page))).toHaveValue(address)
  const given = { email: address, password: 'another tram 78 drummer' }
  // The new password is right: what is left to wait for is the staff.
  await expect(ask(membership.signIn, given)).rejects.toThrow('Your DJ application is in review.')
})
