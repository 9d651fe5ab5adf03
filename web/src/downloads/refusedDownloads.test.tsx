import { billing, catalogue, downloads } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSongs, singlePage } from '../../test/samples.ts'
import { makePlan } from '../billing/testing.ts'

const download = page.getByRole('button', { name: 'Download Clean, Song 1' })

async function openNewReleases() {
  fakeApi.reply(catalogue.getNewRelease, { songs: makeSongs(1), pagination: singlePage(1) })
  await openApp('/newRelease')
}

test('leads a member without a paid plan to the plans, and back to the songs', async () => {
  fakeApi.rejectWith(downloads.downloadVersion, { code: 'subscription_required', message: 'A paid plan is needed.' })
  fakeApi.reply(billing.getPlans, { plans: [makePlan()] })
  signInAs(makeProfile({ payment_profile_status: 'unpaid' }))
  await openNewReleases()
  await download.click()
  await expect.poll(currentUrl).toBe('/subscription/plans')
  await expect.element(page.getByRole('heading', { name: 'Downloads need a paid plan' })).toBeVisible()
  await press(page, 'Back to songs')
  await expect.poll(currentUrl).toBe('/newRelease')
  await expect.element(download).toBeVisible()
})

test('leads to the plans when the plan does not include a download', async () => {
  const message = 'You’ve used all 200 downloads of this month.'
  fakeApi.rejectWith(downloads.downloadVersion, { code: 'monthly_limit_reached', message })
  signInAs(makeProfile())
  await openNewReleases()
  await download.click()
  await expect.element(page.getByText(message)).toBeVisible()
  await press(page, 'See plans')
  await expect.poll(currentUrl).toBe('/subscription/plans')
})

test('tells a label member that their account cannot download', async () => {
  fakeApi.rejectWith(downloads.downloadVersion, {
    code: 'downloads_not_allowed',
    message: 'This account type can’t download music.',
  })
  signInAs(makeProfile({ group_id: 3 }))
  await openNewReleases()
  await download.click()
  await expect.element(page.getByText('This account type can’t download music.')).toBeVisible()
  expect(currentUrl()).toBe('/newRelease')
})

test('asks a visitor to sign in, over the list', async () => {
  await openNewReleases()
  await download.click()
  await expect.element(dialogNamed('Sign In')).toBeVisible()
  expect(currentUrl()).toBe('/newRelease?dialog=sign-in')
  expect(fakeApi.inputsOf(downloads.downloadVersion)).toEqual([])
})
