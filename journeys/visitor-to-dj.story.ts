import type { Page } from '@playwright/test'
import { getMailsTo } from './mail-server.ts'
import {
  dialog,
  expect,
  getDemoSongs,
  getFirst,
  getUndownloadedSongs,
  openOtherBrowser,
  signInAs,
  signInThroughDialog,
  songPage,
  test,
} from './support.ts'

const EMAIL = 'kwame@visitor.test'
const NEW_PASSWORD = 'seven wet umbrellas'
const CHANGED_PASSWORD = 'eight dry umbrellas'

// The second test uses the member that the first one creates.
test.describe.configure({ mode: 'serial' })

/** Waits for an email with this subject: a worker sends it in the background. */
async function waitForMail(address: string, subject: RegExp) {
  await expect
    .poll(async () => (await getMailsTo(address)).some((mail) => subject.test(mail.subject ?? '')), { timeout: 60_000 })
    .toBe(true)
  return (await getMailsTo(address)).filter((mail) => subject.test(mail.subject ?? '')).at(-1)!
}

/** Returns the link of an email, which must be the same in its text and its HTML. */
function readLink(mail: { text?: string; html?: string }): string {
  const [link = ''] = /https?:\/\/\S+\/(confirm|reset-password|welcome)#\S+/.exec(mail.text ?? '') ?? []
  expect(mail.html).toContain(`href="${link}"`)
  return link
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  const form = dialog(page, 'Sign In')
  if (!(await form.isVisible())) await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a visitor signs up, applies, confirms the email, is approved, and downloads a song', {
  tag: '@smoke',
}, async ({ page, browser }) => {
  test.slow()
  const email = EMAIL
  const song = getFirst(await getDemoSongs(1))
  await page.goto(`/song/${song.entity_id}`)
  await songPage(page)
    .getByRole('button', { name: /^Download / })
    .first()
    .click()
  await expect(dialog(page, 'Sign In').getByText(/^Sign in to download the .+ version of “.+”\.$/)).toBeVisible()
  await dialog(page, 'Sign In').getByRole('link', { name: 'Create account' }).click()
  const account = dialog(page, 'Create An Account')
  await account.getByLabel('DJ Name').fill('DJ Kwame of Tema')
  await account.getByLabel('Email').fill(email)
  await account.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await account.getByRole('button', { name: 'Create account' }).click()

  const application = dialog(page, 'Are you a DJ?')
  await application.getByRole('radio', { name: 'Social link' }).check()
  await application.getByLabel('Link (SoundCloud, Mixcloud, Instagram…)').fill('mixes.example/kwame')
  await application.getByRole('button', { name: 'Submit application' }).click()
  await expect(application.getByRole('heading', { name: 'Almost done: confirm your email' })).toBeFocused()
  await expect(application.getByRole('button', { name: 'Submit application' })).toBeHidden()
  await page.reload()
  await expect(application.getByText(email).first()).toBeVisible()

  const confirm = await waitForMail(email, /^Confirm your email/)
  await page.goto(readLink(confirm))
  const confirmation = dialog(page, 'Confirm your email')
  await confirmation.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await confirmation.getByRole('button', { name: 'Confirm email', exact: true }).click()
  await expect(confirmation.getByText('Your email is confirmed.')).toBeVisible()
  await expect(page).toHaveURL(/\/\?dialog=confirm$/)
  await page.reload()
  await confirmation.getByRole('button', { name: 'Start browsing' }).click()
  await expect(page).toHaveURL(/\/$/)
  await signIn(page, email, NEW_PASSWORD)
  await expect(dialog(page, 'Sign In').getByRole('alert')).toContainText('Your DJ application is in review.')

  const staffPage = await openOtherBrowser(browser)
  await signInAs(staffPage, 'staff@demo.test')
  await staffPage.goto('/')
  await staffPage.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Back office' }).click()
  await staffPage
    .getByRole('navigation', { name: 'Back office' })
    .getByRole('link', { name: /^Applications/ })
    .click()
  const card = staffPage.getByRole('row', { name: 'DJ Kwame of Tema' })
  await expect(card.getByRole('link', { name: /mixes\.example\/kwame/ })).toHaveAttribute(
    'href',
    'https://mixes.example/kwame',
  )
  await card.focus()
  await staffPage.keyboard.press('a')
  await expect(staffPage.getByText('DJ Kwame of Tema approved and notified')).toBeVisible()
  await expect(card).toBeHidden()

  await page.goto(readLink(await waitForMail(email, /^Welcome to/)))
  await dialog(page, 'Welcome').getByRole('button', { name: 'Sign in', exact: true }).click()
  // The link returns to the song, and the download continues: without a paid plan, it leads to the plans.
  await expect(page).toHaveURL(/\/subscription\/plans$/)
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`/song/${song.entity_id}$`))

  await page.goto('/logout')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true }).first()).toBeVisible()
  await signInThroughDialog(page, 'dj@demo.test')
  const token = await page.evaluate(() => localStorage.getItem('dubplate.token') ?? '')
  const fresh = getFirst(await getUndownloadedSongs(token, 'visitor-to-dj'))
  await page.goto(`/song/${fresh.entity_id}`)
  const downloadPromise = page.waitForEvent('download')
  await songPage(page)
    .getByRole('button', { name: /^Download / })
    .first()
    .click()
  expect(await (await downloadPromise).failure()).toBeNull()
})

// Uses the account of the story above, so both have the same tag.
test('resets a forgotten password with a link that works once, and ends all sessions', { tag: '@smoke' }, async ({
  page,
  browser,
}) => {
  const email = EMAIL
  const signInElsewhere = await openOtherBrowser(browser)
  await signInElsewhere.goto('/favourite-songs')
  await signIn(signInElsewhere, email, NEW_PASSWORD)
  await expect(dialog(signInElsewhere, 'Sign In')).toBeHidden()

  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await dialog(page, 'Sign In').getByLabel('Email').fill(email)
  await dialog(page, 'Sign In').getByRole('link', { name: 'Forgot password?' }).click()
  const recover = dialog(page, 'Recover Password')
  await expect(recover.getByLabel('Email')).toHaveValue(email)
  await recover.getByRole('button', { name: /send/i }).click()
  await expect(dialog(page, 'Sign In').getByText('Please check your email to reset your password')).toBeVisible()

  const link = readLink(await waitForMail(email, /^Reset your /))
  await page.goto(link)
  await expect(page).toHaveURL(/\/\?dialog=reset$/)
  const reset = dialog(page, 'Reset Password')
  await reset.getByLabel('Password', { exact: true }).fill(CHANGED_PASSWORD)
  await reset.getByLabel('Confirm password').fill(NEW_PASSWORD)
  await reset.getByRole('button', { name: 'Set password' }).click()
  await expect(reset.getByText('password mismatch')).toBeVisible()
  await reset.getByLabel('Confirm password').fill(CHANGED_PASSWORD)
  await reset.getByRole('button', { name: 'Set password' }).click()
  await expect(dialog(page, 'Sign In').getByText('Password changed successfully.')).toBeVisible()
  await signIn(page, email, CHANGED_PASSWORD)
  await expect(dialog(page, 'Sign In')).toBeHidden()

  await signInElsewhere.reload()
  await expect(
    signInElsewhere.getByText('You’ve been signed out. Sign in to pick up where you left off.'),
  ).toBeVisible()

  const again = await openOtherBrowser(browser)
  await again.goto(link)
  const second = dialog(again, 'Reset Password')
  await second.getByLabel('Password', { exact: true }).fill('another good password')
  await second.getByLabel('Confirm password').fill('another good password')
  await second.getByRole('button', { name: 'Set password' }).click()
  await expect(second.getByRole('alert')).toContainText('This link has expired. Request a new one.')
})
