import { membership } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const dialog = page.getByRole('dialog', { name: 'Sign In' })

async function submit(email: string, password: string) {
  await dialog.getByLabelText('Email').fill(email)
  await dialog.getByLabelText('Password', { exact: true }).fill(password)
  await userEvent.keyboard('{Enter}')
}

test('keeps what was typed when the password is wrong', async () => {
  fakeApi.refuse(membership.signIn, { code: 'invalid_credentials', message: 'Wrong email or password.' })
  await openApp('/charts?dialog=sign-in')
  await submit('dj@pool.test', 'not this one')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Wrong email or password.')
  await expect.element(dialog.getByLabelText('Email')).toHaveValue('dj@pool.test')
})

test('closes and shows the member once signed in', async () => {
  fakeApi.reply(membership.signIn, { token: 't', profile: makeProfile() })
  fakeApi.reply(membership.getProfile, { profile: makeProfile() })
  await openApp('/charts?dialog=sign-in')
  await submit('dj@pool.test', 'dubplate')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(membership.signIn)).toEqual([{ email: 'dj@pool.test', password: 'dubplate' }])
})
