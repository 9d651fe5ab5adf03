import { account, catalogue, membership } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, singlePage } from '../../test/samples.ts'

const notice = page.getByRole('complementary', { name: 'Your email address' })
const profile = makeProfile({ email: 'dj@pool.test', email_bounced: true })

beforeEach(async () => {
  fakeApi.reply(catalogue.getNewRelease, { songs: [], pagination: singlePage(0) })
  signInAs(profile)
  await openApp('/newRelease')
  await expect.element(notice).toHaveTextContent('We couldn’t deliver email to dj@pool.test.')
})

test('hides after the member has confirmed the address', async () => {
  const confirmed = { ...profile, email_bounced: false }
  fakeApi.reply(account.confirmEmail, () => {
    fakeApi.reply(membership.getProfile, { profile: confirmed })
    return { profile: confirmed }
  })
  await press(notice, 'It’s correct')
  await expect.element(page.getByText('Thank you. We’ll keep using dj@pool.test.')).toBeVisible()
  await expect.element(notice).not.toBeInTheDocument()
})

test('stays, and can be used again, after an error', async () => {
  fakeApi.rejectWith(account.confirmEmail, { code: 'internal_error', message: 'Something went wrong.' })
  await press(notice, 'It’s correct')
  await expect.element(page.getByText('Couldn’t confirm your email')).toBeVisible()
  await expect.element(notice.getByRole('button', { name: 'It’s correct' })).toBeEnabled()
  await press(notice, 'Not now')
  await expect.element(notice).not.toBeInTheDocument()
})
