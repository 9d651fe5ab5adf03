import { joining } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, press } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'

const COMMON = 'This is a commonly used password.'

const dialog = dialogNamed('Create An Account')
const djName = dialog.getByLabelText('DJ Name')
const password = dialog.getByLabelText('Password', { exact: true })

test('names every blank field, focuses the first and checks again while typing', async () => {
  await openApp('/?dialog=create-account')
  await press(dialog, 'Create account')
  for (const message of ['DJ Name cannot be blank!', 'Email cannot be blank!', 'Password cannot be blank!'])
    await expect.element(dialog.getByText(message)).toBeVisible()
  await expect.element(djName).toHaveFocus()
  await djName.fill('Ada')
  await expect.element(dialog.getByText('DJ Name cannot be blank!')).not.toBeInTheDocument()
  await djName.fill('')
  await expect.element(dialog.getByText('DJ Name cannot be blank!')).toBeVisible()
  expect(fakeApi.inputsOf(joining.signUp)).toEqual([])
})

test('rates a password while it is typed', async () => {
  fakeApi.reply(joining.passwordStrength, ({ password }) =>
    password === 'password123' ? { score: 0, advice: COMMON } : { score: 4, accepted: true },
  )
  await openApp('/?dialog=create-account')
  await expect.element(dialog.getByText('Use at least 10 characters')).toBeVisible()
  await password.fill('password123')
  await expect.element(dialog.getByText(COMMON)).toBeVisible()
  await password.fill('violet tram 77 drummer')
  await expect.element(dialog.getByText('Strong password')).toBeVisible()
})

test('says why a password is rejected and focuses it', async () => {
  fakeApi.rejectWith(joining.signUp, { code: 'weak_password', message: COMMON, fields: { password_hash: COMMON } })
  await openApp('/?dialog=create-account')
  await djName.fill('DJ Ada')
  await dialog.getByLabelText('Email').fill('ada@joining.test')
  await password.fill('password123')
  await press(dialog, 'Create account')
  await expect.element(dialog.getByText(COMMON)).toBeVisible()
  await expect.element(password).toHaveAttribute('aria-invalid', 'true')
  await expect.element(password).toHaveFocus()
  expect(fakeApi.inputsOf(joining.signUp)).toEqual([
    { dj_name: 'DJ Ada', email: 'ada@joining.test', password_hash: 'password123' },
  ])
})
