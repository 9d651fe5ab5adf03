import { account } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { errorReply, fakeApi } from '../../../test/fakeApi.ts'
import { press } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'

const RIGHT_PASSWORD = 'dubplate'
const QR_CODE = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8z"/></svg>'

const makeCodes = (kind: string) => Array.from({ length: 10 }, (_, n) => `${kind}-${n}`)

const part = page.getByRole('region', { name: 'Two-factor authentication' })
const password = part.getByLabelText('Current password', { exact: true })
const code = part.getByLabelText('6-digit code')
const codes = part.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')

const checkPassword = (typedPassword: string | undefined) => {
  if (typedPassword !== RIGHT_PASSWORD) throw errorReply({ code: 'incorrect_password', message: 'Incorrect password.' })
}

test('is enabled with the password and a code from the app, and shows ten recovery codes', async () => {
  fakeApi.reply(account.startTwoStep, ({ password }) => {
    checkPassword(password)
    return { secret: 'JBSW Y3DP', qr_svg: QR_CODE }
  })
  fakeApi.reply(account.confirmTwoStep, ({ code }) => {
    if (code !== '123456') throw errorReply({ code: 'invalid_code', message: 'This code is not right.' })
    return { recovery_codes: makeCodes('first') }
  })
  signInAs(makeProfile())
  await openApp('/account/security')
  await press(part, 'Turn on')
  await password.fill('not this one')
  await press(part, 'Continue')
  await expect.element(part.getByRole('alert')).toHaveTextContent('Incorrect password.')
  await password.fill(RIGHT_PASSWORD)
  await press(part, 'Continue')
  const picture = part.getByRole('img', { name: /QR code/ })
  await expect.poll(() => (picture.element() as HTMLImageElement).naturalWidth).toBeGreaterThan(0)
  await expect.element(part.getByText('JBSW Y3DP')).toBeVisible()
  await code.fill('000000')
  await press(part, 'Turn on')
  await expect.element(part.getByRole('alert')).toHaveTextContent('This code is not right.')
  await code.fill('123456')
  await press(part, 'Turn on')
  await expect.poll(() => codes.elements().length).toBe(10)
  await press(part, 'I’ve saved my codes')
  await expect.element(part.getByText('Two-factor authentication is on.')).toBeVisible()
})

test('shows new recovery codes in place of the old ones, and is disabled with the password', async () => {
  fakeApi.reply(account.renewRecoveryCodes, ({ password }) => {
    checkPassword(password)
    return { recovery_codes: makeCodes('second') }
  })
  fakeApi.reply(account.stopTwoStep, ({ password }) => {
    checkPassword(password)
    return {}
  })
  signInAs(makeProfile({ has_two_factor: true }))
  await openApp('/account/security')
  await press(part, 'Generate new recovery codes')
  await password.fill(RIGHT_PASSWORD)
  await press(part, 'Generate codes')
  await expect.poll(() => codes.elements().map((each) => each.textContent)).toEqual(makeCodes('second'))
  await press(part, 'I’ve saved my codes')
  await press(part, 'Turn off')
  await password.fill(RIGHT_PASSWORD)
  await press(part, 'Turn off')
  await expect.element(part.getByRole('button', { name: 'Turn on' })).toBeVisible()
  expect(fakeApi.inputsOf(account.stopTwoStep)).toEqual([{ password: RIGHT_PASSWORD }])
})
