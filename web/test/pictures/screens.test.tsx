// Compares key screens with the pictures in this folder. After an intended change: npm run test:pictures -- --update
import { type membership, site } from '@dubplate/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { usePreferences } from '../../src/platform/preferences.ts'
import { fakeApi } from '../fakeApi.ts'
import { openApp, signInAs } from '../openApp.tsx'
import { makeProfile } from '../samples.ts'

const NOW = new Date('2026-11-22T12:00:00Z')

const SIZES = [
  { name: 'desktop-dark', width: 1440, height: 900, scheme: 'dark' },
  { name: 'phone-light', width: 390, height: 844, scheme: 'light' },
] as const

type Screen = { name: string; address: string; role?: membership.Profile['staff_role']; isSignedOut?: boolean }

const SCREENS: Screen[] = [
  { name: 'home', address: '/' },
  { name: 'charts', address: '/charts' },
  { name: 'new-releases', address: '/newRelease' },
  { name: 'genres', address: '/genres/index' },
  { name: 'genre', address: '/genres/view/1' },
  { name: 'spotlights', address: '/spotlight/index' },
  { name: 'spotlight', address: '/spotlight/view/1' },
  { name: 'top-20', address: '/top20/songs/1' },
  { name: 'song', address: '/song/1' },
  { name: 'search', address: '/search/result/house' },
  { name: 'crate', address: '/crate' },
  { name: 'playlists', address: '/playlist' },
  { name: 'playlist', address: '/playlist/1' },
  { name: 'download-rescue', address: '/download-rescue' },
  { name: 'sign-in', address: '/contact?dialog=sign-in', isSignedOut: true },
  { name: 'create-account', address: '/contact?dialog=create-account', isSignedOut: true },
  { name: 'plans', address: '/subscription/plans', isSignedOut: true },
  { name: 'account', address: '/account/update' },
  { name: 'subscription', address: '/account/manage-subscription' },
  { name: 'billing', address: '/account/billing' },
  { name: 'faqs', address: '/support/faqs' },
  { name: 'tickets', address: '/tickets/all' },
  { name: 'uploads', address: '/uploads/index' },
  { name: 'staff-members', address: '/staff/members', role: 'admin' },
  { name: 'staff-songs', address: '/staff/songs', role: 'admin' },
  { name: 'not-found', address: '/no/such/page', isSignedOut: true },
]

const countImagesLoading = () =>
  [...document.images].filter((image) => image.checkVisibility() && !image.complete).length

beforeEach(() => {
  // React reports faults of the markup here, for example two children with the same key.
  vi.spyOn(console, 'error')
  // Relative times on the screens are the same in every run.
  vi.useFakeTimers({ toFake: ['Date'], now: NOW, shouldAdvanceTime: true })
})

afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  document.body.removeAttribute('style')
  await page.viewport(1440, 900)
})

for (const { name: size, width, height, scheme } of SIZES)
  for (const { name, address: url, role = null, isSignedOut } of SCREENS)
    test(`${name} matches its picture: ${size}`, async () => {
      await page.viewport(width, height)
      if (!isSignedOut) signInAs(makeProfile({ staff_role: role }))
      fakeApi.reply(site.getPool, { name: 'Dubplate' })
      fakeApi.useSampleReplies()
      await openApp(url)
      Object.assign(document.body.style, { height: '100vh', overflow: 'hidden' })
      usePreferences.setState({ scheme })
      await expect.element(page.getByRole('heading', { level: 1 })).toBeInTheDocument()
      // The code of a dialog is loaded after the page behind it.
      if (url.includes('dialog=')) await expect.element(page.getByRole('dialog')).toBeVisible()
      await document.fonts.ready
      await expect.poll(() => document.querySelectorAll('[aria-busy=true]').length).toBe(0)
      await expect.poll(countImagesLoading).toBe(0)
      await expect.element(page.elementLocator(document.body)).toMatchScreenshot(`${name}-${size}`)
      expect(console.error).not.toHaveBeenCalled()
    })
