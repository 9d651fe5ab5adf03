import { joining, membership, staff } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import { mailsTo } from './mail-server.ts'
import { ask, dialog, enterAs, expect, firstOf, PASSWORD, test, tokenOf } from './support.ts'

const signIn = (page: Page) => dialog(page, 'Sign In')
const createAccount = (page: Page) => dialog(page, 'Create An Account')
const apply = (page: Page) => dialog(page, 'Are you a DJ?')
const confirmation = (page: Page) => dialog(page, 'Confirm your address')
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
  await press(confirmation(page), 'Confirm')
}

async function sendApplication(page: Page): Promise<void> {
  await apply(page).getByRole('radio', { name: 'Social link' }).check()
  await apply(page).getByLabel('Link to it').fill('https://music.example/newcomer')
  await press(apply(page), 'Apply')
}

test('a visitor becomes a member: account, application, mailed link, approval, sign-in', async ({ page }) => {
  const address = newcomer('ada')
  await signUp(page, address)
  await sendApplication(page)
  await expect(apply(page).getByRole('heading', { name: 'Thank you, your application is kept' })).toBeFocused()
  await expect(apply(page).getByText(address)).toBeVisible()
  await page.reload()
  await expect(apply(page).getByText(address)).toBeVisible()

  await confirmAddress(page, address)
  await expect(confirmation(page).getByText('Your address is confirmed.')).toBeVisible()
  await expect(page).toHaveURL(/\/\?dialog=confirm$/)
  await page.reload()
  await expect(confirmation(page).getByText('Your address is confirmed.')).toBeVisible()
  await press(confirmation(page), 'Look around')
  await expect(page).toHaveURL(/\/$/)

  await press(banner(page), 'Sign in')
  await expect(email(signIn(page))).toHaveValue(address)
  await password(signIn(page)).fill(GOOD_PASSWORD)
  await press(signIn(page), 'Sign in')
  await expect(signIn(page).getByRole('alert')).toContainText('Your DJ application is being read.')

  const token = await tokenOf('staff@demo.test')
  const { applications } = await ask(staff.getApplications, { search: address }, token)
  const { customer_id, version } = firstOf(applications)
  await ask(staff.decideApplication, { customer_id, version, decision: 'approve' }, token)
  await press(signIn(page), 'Sign in')
  await expect(signIn(page)).toBeHidden()
  await expect(banner(page).getByRole('button', { name: 'DJ Newcomer, your menu' })).toBeVisible()
})

test('whoever confirms the address before applying is led to the application', async ({ page }) => {
  const address = newcomer('ben')
  await signUp(page, address)
  await confirmAddress(page, address)
  await expect(apply(page).getByText('Your address is confirmed.')).toBeVisible()
  await sendApplication(page)
  await expect(apply(page).getByRole('heading', { name: 'Thank you, your application is sent' })).toBeVisible()

  await page.goto(await linkTo(address, 'confirm'))
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(await linkTo(address, 'confirm'))
  await expect(confirmation(page).getByRole('alert')).toHaveText('This link was used already. Sign in.')
})

test('a sign-up by somebody else is not confirmed by whoever opens the link', async ({ page }) => {
  const address = newcomer('vera')
  await ask(joining.signUp, { dj_name: 'Not Vera', email: address, password_hash: GOOD_PASSWORD })
  await page.goto(await linkTo(address, 'confirm'))
  await expect(email(confirmation(page))).toHaveValue(address)
  await expect(password(confirmation(page))).toBeFocused()
  await press(confirmation(page), 'Confirm')
  await expect(confirmation(page).getByText('password cannot be blank!')).toBeVisible()
  await password(confirmation(page)).fill('what Vera would type')
  await press(confirmation(page), 'Confirm')
  await expect(confirmation(page).getByRole('alert')).toContainText('This is not the password of this sign-up.')
  await expect(password(confirmation(page))).toBeFocused()
  await page.reload()
  await expect(password(confirmation(page))).toHaveValue('')
  // Nothing has come of it: the link is as good as before.
  const link = (await linkTo(address, 'confirm')).replace('/confirm#', '')
  expect(await ask(joining.confirmAddress, { token: link, password: GOOD_PASSWORD })).toMatchObject({ email: address })
})

test('an unconfirmed address is told so, and the mail can be sent again', async ({ page }) => {
  const address = newcomer('cleo')
  const { token } = await ask(joining.signUp, { dj_name: 'Cleo', email: address, password_hash: GOOD_PASSWORD })
  await ask(joining.submitApplication, { dj_website: 'https://music.example/cleo' }, token)
  await linkTo(address, 'confirm')
  await page.goto('/?dialog=sign-in')
  await email(signIn(page)).fill(address)
  await password(signIn(page)).fill(GOOD_PASSWORD)
  await press(signIn(page), 'Sign in')
  await press(signIn(page), 'Send the mail again')
  await expect(signIn(page).getByRole('status')).toContainText(address)
  await expect.poll(async () => (await mailsTo(address)).length, { timeout: 60_000 }).toBe(2)
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
  await press(recover(page), 'Send the link')
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
  await expect(ask(membership.signIn, given)).rejects.toThrow('Your DJ application is being read.')
})

test('each dialog says what is wrong, and the first wrong field has the focus', async ({ page }) => {
  await page.goto('/?dialog=create-account')
  const account = createAccount(page)
  await press(account, 'Create account')
  for (const sentence of ['DJ Name cannot be blank!', 'Email cannot be blank!', 'Password cannot be blank!'])
    await expect(account.getByText(sentence)).toBeVisible()
  await expect(account.getByLabel('DJ Name')).toBeFocused()
  await account.getByLabel('DJ Name').fill('Ada')
  await expect(account.getByText('DJ Name cannot be blank!')).toBeHidden()
  await account.getByLabel('DJ Name').fill('')
  await expect(account.getByText('DJ Name cannot be blank!')).toBeVisible()

  await page.goto('/?dialog=recover')
  await press(recover(page), 'Send the link')
  await expect(recover(page).getByText('Invalid Email')).toBeVisible()
  await expect(email(recover(page))).toBeFocused()

  await page.goto('/reset-password/nobody@joining.test/no-such-link')
  await press(reset(page), 'Set the password')
  await expect(reset(page).getByText('password cannot be blank!', { exact: true })).toBeVisible()
  await expect(reset(page).getByText('confirm password cannot be blank!')).toBeVisible()
  await password(reset(page)).fill(GOOD_PASSWORD)
  await reset(page).getByLabel('Confirm password').fill('something else')
  await expect(reset(page).getByText('password mismatch')).toBeVisible()
  await password(reset(page)).fill('something else')
  await expect(reset(page).getByText('password mismatch')).toBeHidden()
  await press(reset(page), 'Set the password')
  await expect(reset(page).getByRole('alert')).toContainText('This link is no longer good.')
  await follow(reset(page), 'Send me another link')
  await expect(recover(page)).toBeVisible()
})

test('an application names one of two ways, and what it is', async ({ page }) => {
  await page.goto('/?dialog=sign-in')
  await email(signIn(page)).fill('new@demo.test')
  await password(signIn(page)).fill(PASSWORD)
  await press(signIn(page), 'Sign in')
  await expect(apply(page).getByText('You have not submitted DJ Application.')).toBeVisible()
  await press(apply(page), 'Apply')
  await expect(apply(page).getByText('Plase select one option from Member Refrence or Social link!')).toBeVisible()
  await expect(apply(page).getByRole('radio', { name: 'Member reference' })).toBeFocused()
  await apply(page).getByRole('radio', { name: 'Member reference' }).check()
  await expect(apply(page).getByText('Member Refrence Detail cannot be blank!')).toBeVisible()
  await apply(page).getByRole('radio', { name: 'Social link' }).check()
  await expect(apply(page).getByText('Refrence Detail cannot be blank!', { exact: true })).toBeVisible()
  await apply(page).getByLabel('Link to it').fill('https://music.example/new')
  await apply(page).getByLabel('Comment (optional)').fill('Fridays at the harbour')
  await page.reload()
  await expect(apply(page).getByLabel('Link to it')).toHaveValue('https://music.example/new')
  await expect(apply(page).getByLabel('Comment (optional)')).toHaveValue('Fridays at the harbour')
})

test('whoever comes to the application by its address alone is asked to sign in first', async ({ page }) => {
  await page.goto('/charts?dialog=apply')
  await follow(apply(page), 'Sign in')
  await expect(signIn(page)).toBeVisible()
  await expect(page).toHaveURL(/\/charts\?dialog=sign-in$/)
})

test('from one dialog to another the address goes along, a password does not, and one "back" closes', async ({
  page,
}) => {
  await page.goto('/newRelease')
  await press(banner(page), 'Sign in')
  await email(signIn(page)).fill('ada@joining.test')
  await password(signIn(page)).fill('not to be kept')
  await follow(signIn(page), 'Create an account')
  await expect(page).toHaveURL(/\/newRelease\?dialog=create-account$/)
  await expect(email(createAccount(page))).toHaveValue('ada@joining.test')
  await expect(password(createAccount(page))).toHaveValue('')
  await createAccount(page).getByLabel('DJ Name').fill('DJ Ada')
  await follow(createAccount(page), 'Sign in')
  await follow(signIn(page), 'Forgot password?')
  await expect(email(recover(page))).toHaveValue('ada@joining.test')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('not to be kept')

  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(/\/newRelease$/)
  await press(banner(page), 'Create account')
  await expect(createAccount(page).getByLabel('DJ Name')).toHaveValue('DJ Ada')
})

test('a password hears how good it is while it is typed', async ({ page }) => {
  await page.goto('/?dialog=create-account')
  const account = createAccount(page)
  await expect(account.getByText('You need at least 10 characters')).toBeVisible()
  await password(account).fill('password123')
  await expect(account.getByText('This is a commonly used password.')).toBeVisible()
  await password(account).fill(GOOD_PASSWORD)
  await expect(account.getByText(/^(Very good|Good)\.$/)).toBeVisible()
  await account.getByLabel('DJ Name').fill('DJ Ada')
  await email(account).fill('ada@joining.test')
  await password(account).fill('password123')
  await press(account, 'Create account')
  await expect(account.getByRole('alert')).toHaveText('This is a commonly used password.')
  await expect(password(account)).toBeFocused()
})

test('without a network the form stays as it is and says so', async ({ page, context }) => {
  await page.goto('/?dialog=recover')
  await email(recover(page)).fill('ada@joining.test')
  await context.setOffline(true)
  await press(recover(page), 'Send the link')
  await expect(recover(page).getByRole('alert')).toContainText('You are offline.')
  await expect(email(recover(page))).toHaveValue('ada@joining.test')
  await follow(recover(page), 'Back to sign in')
  await expect(email(signIn(page))).toHaveValue('ada@joining.test')
})

test('a member has nothing to apply for', async ({ page }) => {
  await enterAs(page, 'label@demo.test')
  await page.goto('/?dialog=apply')
  await expect(apply(page).getByText('You are a member already')).toBeVisible()
})

test('whoever comes back from the operator’s own sign-in without being let in hears why', async ({ page }) => {
  await page.goto('/?dialog=sign-in#elsewhere-trouble=refused')
  await expect(signIn(page).getByRole('alert')).toContainText('The other sign-in did not let you in.')
  await expect(page).toHaveURL(/\/\?dialog=sign-in$/)
  await page.goto('/?dialog=sign-in#elsewhere=no-such-code')
  await page.reload()
  await expect(signIn(page).getByRole('alert')).toHaveText('This sign-in has run out. Sign in again.')
  await expect(page).toHaveURL(/\/\?dialog=sign-in$/)
})

test('whoever is asked for a second step on the way back is then where they were', async ({ page }) => {
  const member = await ask(membership.signIn, { email: 'label@demo.test', password: PASSWORD })
  const second = { code: 'second_step_needed', message: 'One more step.', data: { token: 'for-the-second-step' } }
  await page.route(`**/api/${membership.signInElsewhere.path}*`, (route) =>
    route.fulfill({ status: 401, json: second }),
  )
  await page.route(`**/api/${membership.secondStep.path}*`, (route) => route.fulfill({ json: { data: member } }))
  await page.goto('/')
  await page.evaluate(() => sessionStorage.setItem('dubplate.elsewhere-from', '"/charts"'))
  await page.goto('/?dialog=sign-in#elsewhere=a-code')
  await page.reload()
  await signIn(page).getByLabel('Code').fill('123456')
  await press(signIn(page), 'Sign in')
  await expect(signIn(page)).toBeHidden()
  await expect(page).toHaveURL(/\/charts$/)
  await expect(banner(page).getByRole('button', { name: /your menu/ })).toBeVisible()
})

test('a member who opens an address with somebody else’s sign-in stays who they are', async ({ page }) => {
  await enterAs(page, 'label@demo.test')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/charts?dialog=sign-in#elsewhere=a-code-of-another')
  await expect(page).toHaveURL(/\/charts$/)
  await expect(signIn(page)).toBeHidden()
  await expect(banner(page).getByRole('button', { name: /your menu/ })).toBeVisible()
  expect(asked.filter((url) => url.includes(membership.signInElsewhere.path))).toEqual([])
})

test('whoever signs out without a network is signed out on the server once there is one', async ({ page, context }) => {
  const token = await tokenOf('label@demo.test')
  await page.goto('/')
  await page.evaluate((it) => localStorage.setItem('dubplate.token', it), token)
  await page.reload()
  await banner(page)
    .getByRole('button', { name: /your menu/ })
    .click()
  await context.setOffline(true)
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(banner(page).getByRole('button', { name: 'Sign in' })).toBeVisible()
  await ask(membership.getProfile, {}, token)
  await context.setOffline(false)
  await expect.poll(() => ask(membership.getProfile, {}, token).then(String, String)).toContain('401')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(token)
})

test('a password can be looked at, with the keyboard too', async ({ page }) => {
  await page.goto('/?dialog=sign-in')
  await password(signIn(page)).fill('seen by nobody')
  await expect(password(signIn(page))).toHaveAttribute('type', 'password')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(password(signIn(page))).toHaveAttribute('type', 'text')
  await expect(signIn(page)).toBeVisible()
})
