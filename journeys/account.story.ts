import { account, membership } from '@dubplate/contract'
import type { Locator, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { fromBuffer } from 'yauzl'
import { A_PASSWORD, type Account, aMember, elsewhere, enter, signInByCall } from './members.ts'
import { ask, dialog, expect, firstOf, newestSongs, otherBrowser, play, soundOf, test } from './support.ts'

const ANOTHER_PASSWORD = 'amber ferry 12 organist'

const form = (page: Page, name: string) => page.getByRole('form', { name })
const press = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true }).click()
const country = (page: Page) => page.getByRole('combobox', { name: 'Country' })
const state = (page: Page) => page.getByRole('combobox', { name: 'State' })
const menu = (page: Page) => page.getByRole('banner').getByRole('button', { name: /your menu/ })

/** Has a place found by typing, as a person would. */
async function choose(page: Page, field: Locator, typed: string, name: string): Promise<void> {
  await field.fill(typed)
  await page.getByRole('option', { name, exact: true }).click()
  await expect(field).toHaveValue(name)
}

test('a visitor who comes for the account is asked to sign in', async ({ page }) => {
  await page.goto('/account/security')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog(page, 'Sign In')).toBeVisible()
  await expect(page).toHaveURL(/\/account\/security\?dialog=sign-in$/)
})

test.describe('a member', () => {
  let member: Account
  test.beforeAll(async () => {
    member = await aMember('Ama of the Harbour')
  })

  test('says who they are and where they live', async ({ page }) => {
    await enter(page, member.token, '/account/update')
    const profile = form(page, 'Profile')
    await press(profile, 'Save')
    for (const sentence of [
      'First Name cannot be blank!',
      'Last Name cannot be blank!',
      'Address cannot be blank!',
      'Zip Code cannot be blank!',
      'City cannot be blank!',
      'Country cannot be blank!',
      'State cannot be blank!',
    ])
      await expect(profile.getByText(sentence)).toBeVisible()
    await expect(profile.getByLabel('First name')).toBeFocused()

    await profile.getByLabel('First name').fill('Ama')
    await expect(profile.getByText('First Name cannot be blank!')).toBeHidden()
    await profile.getByLabel('Last name').fill('Boateng')
    await profile.getByLabel('Address').fill('Quay 4')
    await profile.getByLabel('Zip code').fill('00233')
    await profile.getByLabel('City').fill('Tema')

    await choose(page, country(page), 'united sta', 'United States')
    await choose(page, state(page), 'calif', 'California')
    await choose(page, country(page), 'ghana', 'Ghana')
    await expect(state(page)).toHaveValue('')
    await press(profile, 'Save')
    await expect(profile.getByText('State cannot be blank!')).toBeVisible()
    await expect(state(page)).toBeFocused()

    await page.reload()
    await expect(profile.getByLabel('City')).toHaveValue('Tema')
    await expect(country(page)).toHaveValue('Ghana')
    await state(page).click()
    await page.getByRole('option').first().click()
    await press(profile, 'Save')
    await expect(profile.getByText('Profile successfully updated')).toBeVisible()
    const { profile: saved } = await ask(membership.getProfile, {}, member.token)
    expect(saved).toMatchObject({ firstname: 'Ama', city: 'Tema', country_id: 'GH' })
    expect(saved.region_id).toMatch(/^GH-/)
  })

  test('changes the address, and the old one holds until the mailed link is opened', async ({ page }) => {
    await enter(page, member.token, '/account/update')
    const profile = form(page, 'Profile')
    const next = `new-${member.email}`
    const password = profile.getByLabel('Your password', { exact: true })
    await expect(password).toBeHidden()
    await profile.getByLabel('Email').fill('nobody at home')
    await press(profile, 'Save')
    await expect(profile.getByText('password cannot be blank!')).toBeVisible()
    await expect(password).toBeFocused()
    await password.fill('not this one')
    await press(profile, 'Save')
    await expect(profile.getByRole('alert').getByRole('listitem')).toHaveText([
      'Invalid Email',
      'The password is wrong.',
    ])
    await expect(profile.getByLabel('Email')).toHaveValue('nobody at home')
    await expect(profile.getByLabel('Email')).toBeFocused()
    // After a refusal too each change is checked.
    await profile.getByLabel('City').fill('')
    await expect(profile.getByText('City cannot be blank!')).toBeVisible()
    await profile.getByLabel('City').fill('Tema')
    await expect(profile.getByText('City cannot be blank!')).toBeHidden()
    await profile.getByLabel('Email').fill(next)
    await press(profile, 'Save')
    await expect(profile.getByRole('alert')).toHaveText('The password is wrong.')
    await expect(password).toBeFocused()
    await password.fill(member.password)
    await press(profile, 'Save')
    await expect(profile.getByText(`We mailed a link to ${next}`)).toBeVisible()
    await expect(profile.getByLabel('Email')).toHaveValue(member.email)
    await expect(password).toBeHidden()
    await signInByCall(member.email)
    await page.getByRole('button', { name: 'Withdraw the change' }).click()
    await expect(profile.getByText(`We mailed a link to ${next}`)).toBeHidden()
    await page.reload()
    await expect(profile.getByLabel('Email')).toHaveValue(member.email)
    await expect(page.getByRole('button', { name: 'Withdraw the change' })).toBeHidden()
  })

  test('has a picture cut to a square, sees it at once, and goes back to the initials', async ({ page }) => {
    await enter(page, member.token, '/account/update')
    const picture = page.getByRole('region', { name: 'Picture' })
    const file = picture.getByLabel('Picture file')
    const upright = { name: 'portrait.png', mimeType: 'image/png', buffer: await picturePng(page, 400, 600) }
    await file.setInputFiles([upright, upright, upright])
    await expect(picture.getByRole('alert')).toHaveText('Choose at most 2 files.')
    await file.setInputFiles({ name: 'mix.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    const crop = dialog(page, 'Your picture')
    await expect(crop.getByRole('alert')).toHaveText('This browser cannot show mix.png.')
    await press(crop, 'Cancel')

    await file.setInputFiles(upright)
    await crop.getByLabel('Zoom').fill('2')
    await crop.getByLabel(/Part of the picture/).focus()
    await page.keyboard.press('ArrowUp')
    const sending = `**/api/${account.uploadPicture.path}*`
    await page.route(sending, (route) => route.abort())
    await press(crop, 'Use this picture')
    await expect(picture.getByRole('alert')).toContainText('does not answer')
    await page.unroute(sending)
    // What was cut is there still.
    await press(picture, 'Try again')
    await expect(picture.getByRole('alert')).toBeHidden()
    const shown = menu(page).locator('img')
    await expect(shown).toHaveJSProperty('complete', true)
    const size = await shown.evaluate((it: HTMLImageElement) => [it.naturalWidth, it.naturalHeight])
    expect(size[0], 'a square').toBe(size[1])
    expect(size[0]).toBeGreaterThan(0)
    await page.reload()
    await expect(shown).toBeVisible()

    await press(picture, 'Remove')
    await expect(shown).toBeHidden()
    await expect(picture.getByRole('button', { name: 'Add a picture' })).toBeVisible()
  })

  test('chooses how the site looks and sounds, and finds it so in another browser', async ({ page, browser }) => {
    await enter(page, member.token, '/account/display')
    const saved = page.waitForResponse(
      (reply) => reply.url().includes('save-display') && reply.request().postData()?.includes('original') === true,
    )
    await page.getByRole('radio', { name: 'Open Key' }).check()
    await page.getByRole('radio', { name: 'Day' }).check()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
    await page.getByRole('radio', { name: 'Original' }).check()
    await saved

    const other = await elsewhere(browser, member, '/account/display')
    await expect(other.getByRole('radio', { name: 'Open Key' })).toBeChecked()
    await expect(other.getByRole('radio', { name: 'Original' })).toBeChecked()
    await expect(other.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
    await other.context().close()
  })

  test('hears previews as they were mastered, or all about as loud', async ({ page }) => {
    const loud = firstOf((await newestSongs(60)).filter(({ version: [first] }) => (first?.loudness_lufs ?? -99) > -12))
    // By the call: a page that is left at once may not have told the server yet, and the one before chose otherwise.
    await ask(account.saveDisplay, { notation: 'camelot', scheme: 'dark', preview_loudness: 'even' }, member.token)
    await enter(page, member.token, `/song/${loud.entity_id}`)
    await play(page, loud)
    const gain_db = -14 - firstOf(loud.version).loudness_lufs!
    await expect.poll(async () => (await soundOf(page)).volume).toBeCloseTo(10 ** (gain_db / 20), 2)
    await menu(page).click()
    await page.getByRole('menuitem', { name: 'Display' }).click()
    await page.getByRole('radio', { name: 'Original' }).check()
    await expect.poll(async () => (await soundOf(page)).volume).toBe(1)
    await expect(page.getByRole('slider', { name: 'Volume' })).toHaveValue('1')
  })

  test('sees where they are signed in, and ends it there', async ({ page, browser }) => {
    await enter(page, member.token, '/account/security')
    await signInByCall(member.email)
    const other = await elsewhere(browser, member, '/account/update')
    await expect(form(other, 'Profile')).toBeVisible()
    await page.reload()
    const sessions = page.getByRole('region', { name: 'Where you are signed in' })
    await expect(sessions.getByRole('listitem').filter({ hasText: 'This device' })).toHaveCount(1)
    const before = await sessions.getByRole('listitem').count()
    expect(before).toBeGreaterThan(2)
    await sessions
      .getByRole('button', { name: /^End (?!all)/ })
      .last()
      .click()
    await expect(sessions.getByRole('listitem')).toHaveCount(before - 1)

    await press(sessions, 'End all others')
    await dialog(page, 'End all others?')
      .getByRole('button', { name: /^End \d+ session/ })
      .click()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await other.reload()
    await expect(dialog(other, 'Sign In').getByText('Your session has ended.')).toBeVisible()
    await other.context().close()
  })
})

test('a changed password ends the other browser’s session, and this one goes on', async ({ page, browser }) => {
  const member = await aMember('Bo Sundin')
  const other = await elsewhere(browser, member, '/account/update')
  await enter(page, member.token, '/account/change-password')
  const change = form(page, 'Change password')
  const [current, next, again] = ['Current password', 'New password', 'Confirm password'].map((label) =>
    change.getByLabel(label, { exact: true }),
  ) as [Locator, Locator, Locator]
  await press(change, 'Change password')
  await expect(change.getByText('current password cannot be blank!', { exact: true })).toBeVisible()
  await expect(change.getByText('password cannot be blank!', { exact: true })).toBeVisible()
  await expect(change.getByText('confirm password cannot be blank!', { exact: true })).toBeVisible()
  await current.fill('not this one')
  await next.fill(ANOTHER_PASSWORD)
  await again.fill('something else')
  await expect(change.getByText('password mismatch')).toBeVisible()
  await again.fill(ANOTHER_PASSWORD)
  await press(change, 'Change password')
  await expect(change.getByRole('alert')).not.toBeEmpty()
  await expect(next).toHaveValue(ANOTHER_PASSWORD)
  await current.fill(A_PASSWORD)
  await press(change, 'Change password')
  await expect(change.getByText('Password successfully changed.')).toBeVisible()
  await expect(next).toHaveValue('')

  await page.reload()
  await expect(menu(page)).toBeVisible()
  await expect(form(page, 'Change password')).toBeVisible()
  await other.reload()
  await expect(dialog(other, 'Sign In').getByText('Your session has ended.')).toBeVisible()
  await other.context().close()
  await ask(membership.signIn, { email: member.email, password: ANOTHER_PASSWORD })
})

test('two-step sign-in is switched on with an app, asked for, and switched off', { tag: '@smoke' }, async ({
  page,
  browser,
}) => {
  test.slow()
  const member = await aMember('Cleo Marchetti')
  await enter(page, member.token, '/account/security')
  const part = page.getByRole('region', { name: 'Two-step sign-in' })
  await press(part, 'Switch on')
  await part.getByLabel('Your password', { exact: true }).fill('not this one')
  await press(part, 'Go on')
  await expect(part.getByRole('alert')).not.toBeEmpty()
  await part.getByLabel('Your password', { exact: true }).fill(member.password)
  await press(part, 'Go on')
  const picture = part.getByRole('img', { name: /QR code/ })
  await expect.poll(() => picture.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0)
  const secret = ((await part.locator('code').textContent()) ?? '').replaceAll(/\s/g, '')
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  await part.getByLabel('Code from the app').fill('000000')
  await press(part, 'Switch on')
  await expect(part.getByRole('alert')).not.toBeEmpty()
  await part.getByLabel('Code from the app').fill(app.generate())
  await press(part, 'Switch on')

  const codes = part.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recovery = (await codes.first().textContent()) ?? ''
  const saving = page.waitForEvent('download')
  await press(part, 'Download as .txt')
  expect((await saving).suggestedFilename()).toBe('dubplate-recovery-codes.txt')
  await press(part, 'I have kept them')
  await expect(part.getByText('Two-step sign-in is on.')).toBeVisible()

  const other = await otherBrowser(browser)
  await other.goto('/account/security')
  await other.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  const signIn = dialog(other, 'Sign In')
  await signIn.getByLabel('Email').fill(member.email)
  await signIn.getByLabel('Password', { exact: true }).fill(member.password)
  await press(signIn, 'Sign in')
  // The next code of the app; the one that switched it on is not taken again.
  await signIn.getByLabel(/Code/).fill(app.generate({ timestamp: Date.now() + 30_000 }))
  await signIn.getByLabel(/Code/).press('Enter')
  await expect(signIn).toBeHidden()
  await expect(other.getByText('Two-step sign-in is on.')).toBeVisible()
  await other.context().close()

  await press(part, 'New recovery codes')
  await part.getByLabel('Your password', { exact: true }).fill(member.password)
  await press(part, 'Make new codes')
  await expect(codes).toHaveCount(10)
  await expect(codes.filter({ hasText: recovery })).toHaveCount(0)
  await press(part, 'I have kept them')
  await press(part, 'Switch off')
  await part.getByLabel('Your password', { exact: true }).fill(member.password)
  await press(part, 'Switch off')
  await expect(part.getByRole('button', { name: 'Switch on' })).toBeVisible()
  await signInByCall(member.email)
})

test('a member takes a copy of their data along and deletes the account', async ({ page }) => {
  const member = await aMember('Dario Lindqvist')
  await enter(page, member.token, '/account/data')
  await press(page, 'Copy of my data')
  await form(page, 'Copy of my data').getByLabel('Your password', { exact: true }).fill(member.password)
  const loading = page.waitForEvent('download')
  await press(form(page, 'Copy of my data'), 'Download')
  const copy = await loading
  expect(copy.suggestedFilename()).toMatch(/\.zip$/)
  const names = await namesInZip(Buffer.concat(await (await copy.createReadStream()).toArray()))
  expect(
    names.some((name) => /profile\.json$/.test(name)),
    names.join(', '),
  ).toBe(true)

  await press(page, 'Delete my account')
  const last = form(page, 'Delete the account')
  await last.getByLabel(/^Your DJ name/).fill('somebody else')
  await last.getByLabel('Your password', { exact: true }).fill(member.password)
  await press(last, 'Delete for ever')
  await expect(last.getByText('Type Dario Lindqvist to delete the account.')).toBeVisible()
  await last.getByLabel(/^Your DJ name/).fill('dario lindqvist')
  await press(last, 'Delete for ever')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(signInByCall(member.email)).rejects.toThrow('401')
})

/** A picture of this size, as a browser makes it. */
async function picturePng(page: Page, width: number, height: number): Promise<Buffer> {
  const address = await page.evaluate(
    ([width, height]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const pen = canvas.getContext('2d')!
      pen.fillStyle = '#c43'
      pen.fillRect(0, 0, width!, height!)
      pen.fillStyle = '#3cf'
      pen.fillRect(width! / 4, height! / 4, width! / 2, height! / 2)
      return canvas.toDataURL('image/png')
    },
    [width, height],
  )
  return Buffer.from(address.split(',')[1] ?? '', 'base64')
}

const namesInZip = (bytes: Buffer): Promise<string[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: false }, (error, zip) => {
      if (error) return reject(error)
      const names: string[] = []
      zip.on('entry', ({ fileName }) => names.push(fileName))
      zip.on('end', () => resolve(names))
      zip.on('error', reject)
    })
  })
