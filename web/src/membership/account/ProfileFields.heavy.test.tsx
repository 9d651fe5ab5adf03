import { account, membership } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { errorReply, fakeApi } from '../../../test/fakeApi.ts'
import { press } from '../../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'

const COUNTRIES = [
  { id: 'FR', name: 'France', region: [{ id: 'FR-75', name: 'Paris' }] },
  { id: 'GH', name: 'Ghana', region: [{ id: 'GH-AA', name: 'Greater Accra' }] },
  { id: 'US', name: 'United States', region: [{ id: 'US-CA', name: 'California' }] },
]
const HOME = { street: 'Quay 4', postcode: '00233', city: 'Tema', country_id: 'GH', region_id: 'GH-AA' }

const form = page.getByRole('form', { name: 'Profile' })
const country = form.getByRole('combobox', { name: 'Country' })
const state = form.getByRole('combobox', { name: 'State' })
const email = form.getByLabelText('Email')
const city = form.getByLabelText('City')
const password = form.getByLabelText('Current password', { exact: true })
const cancelButton = page.getByRole('button', { name: 'Cancel change' })

/** Finds a place by typing part of its name. */
async function choose(field: Locator, typed: string, name: string) {
  await field.fill(typed)
  await page.getByRole('option', { name, exact: true }).click()
  await expect.element(field).toHaveValue(name)
}

/** Opens the screen of a member whose profile is stored by the fake server. */
async function openProfile(part: Partial<membership.Profile>) {
  let profile = makeProfile(part)
  const change = (part: Partial<membership.Profile>) => {
    profile = { ...profile, ...part }
    return { profile }
  }
  signInAs(profile)
  fakeApi.reply(account.getCountries, { countries: COUNTRIES })
  fakeApi.reply(membership.getProfile, () => ({ profile }))
  fakeApi.reply(account.updateProfile, ({ email, password, ...saved }) => {
    if (email === profile.email) return change(saved as Partial<membership.Profile>)
    const fields = {
      ...(email.includes('@') ? {} : { email: 'Invalid Email' }),
      ...(password === 'the right one' ? {} : { password: 'Incorrect password.' }),
    }
    if (Object.keys(fields).length > 0)
      throw errorReply({ code: 'incorrect_password', message: 'Incorrect password.', fields })
    return change({ pending_email: email })
  })
  fakeApi.reply(account.cancelEmailChange, () => change({ pending_email: null }))
  await openApp('/account/update')
}

test('names every blank field and focuses the first', async () => {
  await openProfile({ firstname: '', lastname: '' })
  await press(form, 'Save')
  for (const message of [
    'First Name cannot be blank!',
    'Last Name cannot be blank!',
    'Address cannot be blank!',
    'Zip Code cannot be blank!',
    'City cannot be blank!',
    'Country cannot be blank!',
    'State cannot be blank!',
  ])
    await expect.element(form.getByText(message)).toBeVisible()
  await expect.element(form.getByLabelText('First name')).toHaveFocus()
  await form.getByLabelText('First name').fill('Ama')
  await expect.element(form.getByText('First Name cannot be blank!')).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(account.updateProfile)).toEqual([])
})

test('finds places by typing, and requires another state after a change of country', async () => {
  await openProfile({ ...HOME, city: '', country_id: '', region_id: '' })
  await city.fill('Tema')
  await choose(country, 'united sta', 'United States')
  await choose(state, 'calif', 'California')
  await choose(country, 'ghana', 'Ghana')
  await expect.element(state).toHaveValue('')
  await press(form, 'Save')
  await expect.element(form.getByText('State cannot be blank!')).toBeVisible()
  await expect.element(state).toHaveFocus()

  await reopenApp('/account/update')
  await expect.element(city).toHaveValue('Tema')
  await expect.element(country).toHaveValue('Ghana')
  await state.click()
  await page.getByRole('option', { name: 'Greater Accra' }).click()
  await press(form, 'Save')
  await expect.element(form.getByText('Profile successfully updated')).toBeVisible()
  expect(fakeApi.inputsOf(account.updateProfile)).toMatchObject([HOME])
})

test('asks for the password with a new email address, and keeps what was typed when it is wrong', async () => {
  await openProfile(HOME)
  await expect.element(email).toHaveValue('dj@pool.test')
  await expect.element(password).not.toBeInTheDocument()
  await email.fill('nobody at home')
  await press(form, 'Save')
  await expect.element(form.getByText('password cannot be blank!')).toBeVisible()
  await expect.element(password).toHaveFocus()
  await password.fill('not this one')
  await press(form, 'Save')
  await expect.element(form.getByText('Invalid Email')).toBeVisible()
  await expect.element(form.getByText('Incorrect password.')).toBeVisible()
  await expect.element(email).toHaveValue('nobody at home')
  await expect.element(email).toHaveFocus()
  await city.fill('')
  await expect.element(form.getByText('City cannot be blank!')).toBeVisible()
  await city.fill('Tema')
  await expect.element(form.getByText('City cannot be blank!')).not.toBeInTheDocument()
  await email.fill('new@pool.test')
  await press(form, 'Save')
  await expect.element(form.getByText('Invalid Email')).not.toBeInTheDocument()
  await expect.element(form.getByText('Incorrect password.')).toBeVisible()
  await expect.element(password).toHaveFocus()
})

test('keeps the old email address until the emailed link is opened, and cancels the change', async () => {
  await openProfile(HOME)
  await email.fill('new@pool.test')
  await password.fill('the right one')
  await press(form, 'Save')
  const notice = form.getByText('We sent a link to new@pool.test')
  await expect.element(notice).toBeVisible()
  await expect.element(email).toHaveValue('dj@pool.test')
  await expect.element(password).not.toBeInTheDocument()
  await cancelButton.click()
  await expect.element(notice).not.toBeInTheDocument()
  await reopenApp('/account/update')
  await expect.element(email).toHaveValue('dj@pool.test')
  await expect.element(cancelButton).not.toBeInTheDocument()
})
