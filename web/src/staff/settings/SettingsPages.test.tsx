import { settings, site, staff } from '@dubplate/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { fakeUploads } from '../../../test/fakeUploads.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeSettings } from '../../../test/staffSamples.ts'

async function openSettings(all: settings.Everything, url = '/staff/appearance') {
  signInAs(makeProfile({ staff_role: 'admin' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(settings.getSettings, all)
  await openApp(url)
}

const card = (name: string) => page.getByRole('region', { name, exact: true })
const saved = () => fakeApi.inputsOf(settings.saveSettings)

test('saves one group, says where its values come from, and resets it', async () => {
  await openSettings(makeSettings({}))
  const name = card('Name')
  await expect.element(name.getByText('Set by environment')).toBeVisible()
  await expect.element(name.getByRole('button', { name: 'Save' })).toBeDisabled()
  await name.getByRole('textbox', { name: 'Site name' }).fill('Night Shift')
  fakeApi.reply(
    settings.saveSettings,
    makeSettings({ pool_name: { value: 'Night Shift', first: 'Dubplate', is_overridden: true } }, 1),
  )
  await name.getByRole('button', { name: 'Save' }).click()
  await expect.poll(saved).toEqual([{ group: 'name', version: 0, values: { pool_name: 'Night Shift' } }])
  await expect.element(name.getByText('Custom')).toBeVisible()
  await expect.element(page.getByText('Settings saved')).toBeVisible()
  fakeApi.reply(settings.saveSettings, makeSettings({}, 2))
  const poolsBefore = fakeApi.inputsOf(site.getPool).length
  await name.getByRole('button', { name: 'Reset to “Dubplate”' }).click()
  await expect.poll(() => saved().at(-1)).toEqual({ group: 'name', version: 1, values: {} })
  // The name and the colours of this page follow.
  await expect.poll(() => fakeApi.inputsOf(site.getPool).length).toBeGreaterThan(poolsBefore)
  await expect.element(name.getByRole('textbox', { name: 'Site name' })).toHaveValue('Dubplate')
})

test('shows the contract’s error at the field', async () => {
  await openSettings(makeSettings({}), '/staff/settings?view=mail')
  const sender = card('Sender')
  await sender.getByRole('textbox', { name: 'Email address' }).fill('nobody')
  await sender.getByRole('button', { name: 'Save' }).click()
  await expect
    .element(sender.getByRole('textbox', { name: 'Email address' }))
    .toHaveAccessibleDescription('Enter an email address, such as pool@pool.example.')
  expect(saved()).toEqual([])
})

test('asks what to do when a colleague saved the group first', async () => {
  await openSettings(makeSettings({}))
  const name = card('Name')
  await name.getByRole('textbox', { name: 'Site name' }).fill('Mine')
  fakeApi.rejectWith(settings.saveSettings, { code: 'conflict', message: 'Someone else changed these settings.' })
  const changed = makeSettings({ pool_name: { value: 'Theirs', first: 'Dubplate', is_overridden: true } }, 4)
  fakeApi.reply(settings.getSettings, changed)
  await name.getByRole('button', { name: 'Save' }).click()
  await expect.element(name.getByText('Their version: Theirs')).toBeVisible()
  fakeApi.reply(settings.saveSettings, changed)
  await name.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => saved().at(-1)).toEqual({ group: 'name', version: 4, values: { pool_name: 'Mine' } })
})

test('derives both accents from a brand colour, and refuses one that is hard to read', async () => {
  await openSettings(makeSettings({}))
  const accent = card('Accent colour')
  const dark = accent.getByRole('textbox', { name: 'Dark mode', exact: true })
  await dark.fill('#223366')
  await accent.getByRole('button', { name: 'Save' }).click()
  await expect.element(dark).toHaveAccessibleDescription(/^Contrast too low/)
  expect(saved()).toEqual([])
  await accent.getByRole('button', { name: /^Use #\w+ instead$/ }).click()
  await expect.element(dark).not.toHaveAttribute('aria-invalid', 'true')
  await accent.getByRole('textbox', { name: 'Your brand colour', exact: true }).fill('#223366')
  await expect.element(accent.getByRole('textbox', { name: 'Light mode', exact: true })).toHaveValue('#223366')
})

test('hides a section of the site', async () => {
  await openSettings(makeSettings({}), '/staff/settings')
  fakeApi.reply(settings.saveSettings, makeSettings({}, 1))
  const sections = card('Sections')
  await sections.getByRole('checkbox', { name: 'Moods' }).click()
  await sections.getByRole('button', { name: 'Save' }).click()
  await expect.poll(saved).toEqual([{ group: 'sections', version: 0, values: { hidden: ['moods'] } }])
})

test('sends a test email with the values of the form, and shows the answer of the mail server', async () => {
  await openSettings(makeSettings({}), '/staff/settings?view=mail')
  fakeApi.reply(settings.sendTestMail, { to: 'me@pool.test', sent: false, said: '550 No such domain' })
  const sender = card('Sender')
  await sender.getByRole('textbox', { name: 'Name' }).fill('The Door')
  await sender.getByRole('button', { name: 'Send test email' }).click()
  await expect.element(sender.getByText(/me@pool\.test.*550 No such domain/)).toBeVisible()
  expect(fakeApi.inputsOf(settings.sendTestMail)).toEqual([
    { mail_from: { name: 'The Door', address: 'pool@pool.test' } },
  ])
})

test('saves a logo as soon as it is chosen, and says why one is refused', async () => {
  fakeUploads()
  onTestFinished(() => void vi.unstubAllGlobals())
  await openSettings(makeSettings({}))
  const logo = card('Logo')
  const choose = () =>
    logo
      .getByLabelText('Logo', { exact: true })
      .last()
      .upload(new File(['x'], 'logo.png', { type: 'image/png' }))
  fakeApi.rejectWith(settings.uploadLogo, { code: 'image_too_small', message: 'The logo is too small.' })
  await choose()
  await expect.element(logo.getByRole('alert')).toHaveTextContent('The logo is too small.')
  fakeApi.reply(
    settings.uploadLogo,
    makeSettings({ logo: { value: '/logo/2.webp', first: null, is_overridden: true } }, 1),
  )
  await choose()
  await expect.element(logo.getByRole('button', { name: 'Reset to generated logo' })).toBeVisible()
  expect(fakeApi.inputsOf(settings.uploadLogo)).toHaveLength(2)
})

test('lists what only the environment sets', async () => {
  await openSettings(makeSettings({}), '/staff/settings?view=environment')
  await expect.element(card('Environment')).toHaveTextContent(/SMTP server SMTP_URL.*Not set/)
  await expect.element(card('Legal and info pages').getByRole('link', { name: /Edit/ }).first()).toBeVisible()
})
