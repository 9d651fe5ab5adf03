import { billing } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp } from '../../test/openApp.tsx'
import { makePlan } from './testing.ts'

const linesOf = (title: string) => page.getByRole('listitem', { name: title }).getByRole('listitem')

test('lists what members of each plan can do, then what staff wrote', async () => {
  const plans = [
    makePlan({
      ...{ id: 1, title: 'Standard', features: '<ul><li>320 kbit/s MP3</li></ul>' },
      ...{ monthly_downloads: 300, version_downloads: 1, has_crate_bundles: false, has_top20_packs: false },
    }),
    makePlan({ id: 2, title: 'Premium', head_start_hours: 48 }),
    makePlan({ id: 3, title: 'Club', head_start_hours: 36 }),
  ]
  fakeApi.reply(billing.getPlans, { plans })
  await openApp('/subscription/plans')
  await expect
    .poll(() =>
      linesOf('Standard')
        .elements()
        .map((line) => line.textContent),
    )
    .toEqual(['300 downloads a month', '1 download of each version', '320 kbit/s MP3'])
  expect(
    linesOf('Premium')
      .elements()
      .map((line) => line.textContent),
  ).toEqual([
    'Unlimited downloads',
    '2 downloads of each version',
    'Your crate and whole lists as a zip',
    'Top 20s as a zip',
    'New songs 2 days before other plans',
  ])
  await expect.element(linesOf('Club').last()).toHaveTextContent('New songs 36 hours before other plans')
})
