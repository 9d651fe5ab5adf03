import { billing, catalogue, playlists, spotlights } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import {
  ask,
  comeDown,
  dialog,
  expect,
  firstOf,
  type Member,
  newestSongs,
  player,
  rowsOf,
  searchBox,
  tokenOf,
} from './support.ts'

/** A screen as somebody comes to it, and what must be there before it is looked at. */
type Screen = {
  name: string
  /** Nobody is signed in; the front desk otherwise, who has a crate, favourites, playlists and a history. */
  isVisitors?: boolean
  /** Somebody else than the front desk. */
  who?: Member
  open(page: Page): Promise<void>
}

/** Opens a list and plays its first song, so that what shows what plays is there as well. */
async function openList(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await rowsOf(page).first().locator('[data-row-play]').click()
  await expect(player(page).getByRole('button', { name: 'Pause' })).toBeVisible()
}

async function openTiles(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('main').getByRole('listitem').getByRole('link').first()).toBeVisible()
}

export const aGenre = async () =>
  firstOf((await ask(catalogue.getGenresWithCount, {})).genres.filter(({ song_count }) => song_count > 1)).genre_id

export const SCREENS: Screen[] = [
  {
    name: 'home',
    open: async (page) => {
      await openList(page, '/')
      await comeDown(page)
      await expect(page.getByRole('complementary', { name: 'Charts' }).getByRole('listitem').first()).toBeVisible()
      await expect(page.getByRole('note').first()).not.toBeEmpty()
    },
  },
  { name: 'charts', open: (page) => openList(page, '/charts') },
  { name: 'new releases', open: (page) => openList(page, '/newRelease') },
  { name: 'genres', open: (page) => openTiles(page, '/genres/index') },
  { name: 'genre', open: async (page) => openList(page, `/genres/view/${await aGenre()}`) },
  { name: 'spotlights', open: (page) => openTiles(page, '/spotlight/index') },
  { name: 'spotlights of a genre', open: (page) => openTiles(page, '/spotlight/filter/1') },
  {
    name: 'spotlight',
    open: async (page) => {
      const { curatedlist } = await ask(spotlights.getSpotlights, {})
      await openList(page, `/spotlight/view/${firstOf(curatedlist).curated_list_id}`)
    },
  },
  { name: 'top 20', open: (page) => openTiles(page, '/top20/tracks') },
  { name: 'collection', open: (page) => openList(page, '/top20/songs/1') },
  { name: 'song', open: async (page) => openList(page, `/song/${firstOf(await newestSongs(1)).entity_id}`) },
  { name: 'recently played', open: (page) => openList(page, '/recentPlayed') },
  { name: 'favourites', open: (page) => openList(page, '/favourite-songs') },
  { name: 'crate', open: (page) => openList(page, '/crate') },
  { name: 'playlists', open: (page) => openTiles(page, '/playlist') },
  {
    name: 'playlist',
    open: async (page) => {
      const { playlists: own } = await ask(playlists.getPlaylists, {}, await tokenOf('staff@demo.test'))
      await openList(page, `/playlist/${firstOf(own).playlist_id}`)
    },
  },
  {
    name: 'news',
    open: async (page) => {
      await page.goto('/news')
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'search',
    open: async (page) => {
      await openList(page, '/search/result/bpm:61 -remix')
      await searchBox(page).fill('key:')
      await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'a search for nothing',
    open: async (page) => {
      await page.goto('/search/result/zzqxwvk artist:nobody')
      await expect(page.getByRole('heading', { name: /^Nothing found/ })).toBeVisible()
    },
  },
  {
    name: 'palette',
    open: async (page) => {
      await openList(page, '/newRelease')
      await page.keyboard.press('Control+k')
      await expect(dialog(page, 'Commands').getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'queue',
    open: async (page) => {
      await openList(page, '/newRelease')
      await rowsOf(page)
        .nth(1)
        .click({ button: 'right', position: { x: 8, y: 8 } })
      await page.getByRole('menuitem', { name: 'Add to queue' }).click()
      await page.getByTestId('queue').click()
      await expect(page.getByRole('dialog', { name: 'Queue' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'sign-in',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/recentPlayed?dialog=sign-in')
      await expect(dialog(page, 'Sign In').getByRole('button', { name: 'staff@demo.test' })).toBeVisible()
    },
  },
  {
    name: 'create account',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/recentPlayed?dialog=create-account')
      const account = dialog(page, 'Create An Account')
      await account.getByLabel('Password', { exact: true }).fill('password123')
      await account.getByRole('button', { name: 'Create account' }).click()
      await expect(account.getByText('This is a commonly used password.')).toBeVisible()
    },
  },
  {
    name: 'DJ application',
    isVisitors: true,
    open: async (page) => {
      // The form comes up for whoever has a token for applying; until it is sent, any will do.
      await page.addInitScript(() => sessionStorage.setItem('dubplate.applicant', '{"token":"a token"}'))
      await page.goto('/recentPlayed?dialog=apply')
      const application = dialog(page, 'Are you a DJ?')
      await application.getByRole('radio', { name: 'Social link' }).check()
      await application.getByRole('button', { name: 'Apply' }).click()
      await expect(application.getByText('Refrence Detail cannot be blank!')).toBeVisible()
    },
  },
  {
    name: 'recover password',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/recentPlayed?dialog=recover')
      await dialog(page, 'Recover Password').getByRole('button', { name: 'Send the link' }).click()
      await expect(dialog(page, 'Recover Password').getByText('Invalid Email')).toBeVisible()
    },
  },
  {
    name: 'confirm address',
    isVisitors: true,
    open: async (page) => {
      const needed = { code: 'password_needed', message: '', data: { email: 'a.visitor@demo.test' } }
      await page.route('**/api/customer/confirm-address.json*', (route) => route.fulfill({ status: 422, json: needed }))
      await page.goto('/confirm/a-link')
      const confirmation = dialog(page, 'Confirm your address')
      await confirmation.getByRole('button', { name: 'Confirm', exact: true }).click()
      await expect(confirmation.getByText('password cannot be blank!')).toBeVisible()
    },
  },
  {
    name: 'reset password',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/reset-password/nobody@demo.test/no-such-link')
      await dialog(page, 'Reset Password').getByRole('button', { name: 'Set the password' }).click()
      await expect(dialog(page, 'Reset Password').getByText('confirm password cannot be blank!')).toBeVisible()
    },
  },
  {
    name: 'applications',
    open: async (page) => {
      await page.goto('/staff/applications')
      await page.getByRole('listitem', { name: 'Teo Contreras' }).getByRole('button', { name: 'Decline…' }).click()
      await expect(page.getByLabel('Reason')).toBeFocused()
    },
  },
  {
    name: 'outgoing mail',
    open: async (page) => {
      await page.goto('/staff/outgoing-mail')
      await expect(page.getByRole('heading', { level: 1, name: 'Outgoing mail' })).toBeVisible()
    },
  },
  {
    name: 'account',
    open: async (page) => {
      await page.goto('/account/update')
      const profile = page.getByRole('form', { name: 'Profile' })
      await profile.getByLabel('First name').fill('')
      await profile.getByLabel('Email').fill('another@demo.test')
      await profile.getByRole('button', { name: 'Save' }).click()
      await expect(profile.getByText('First Name cannot be blank!')).toBeVisible()
      await expect(profile.getByText('password cannot be blank!')).toBeVisible()
      await page.getByRole('combobox', { name: 'Country' }).click()
      await expect(page.getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'change password',
    open: async (page) => {
      await page.goto('/account/change-password')
      const change = page.getByRole('form', { name: 'Change password' })
      await change.getByRole('button', { name: 'Change password' }).click()
      await expect(change.getByText('current password cannot be blank!', { exact: true })).toBeVisible()
    },
  },
  {
    name: 'sign-in & security',
    open: async (page) => {
      await page.goto('/account/security')
      await expect(page.getByText('This device')).toBeVisible()
      await page.getByRole('button', { name: 'Switch on' }).click()
      await expect(page.getByLabel('Your password', { exact: true })).toBeFocused()
    },
  },
  {
    name: 'display',
    open: async (page) => {
      await page.goto('/account/display')
      await expect(page.getByRole('radio', { name: 'Camelot' })).toBeVisible()
    },
  },
  {
    name: 'your data',
    open: async (page) => {
      await page.goto('/account/data')
      await page.getByRole('button', { name: 'Copy of my data' }).click()
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await expect(page.getByRole('form', { name: 'Delete the account' })).toBeVisible()
    },
  },
  {
    name: 'plans',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/subscription/plans')
      await expect(page.getByRole('heading', { name: 'A paid plan is needed to download' })).toBeVisible()
    },
  },
  {
    name: 'a payment by card',
    open: async (page) => {
      const { plans } = await ask(billing.getPlans, {})
      await page.goto(`/subscription/choose-payment/${firstOf(plans).id}`)
      await page.getByRole('radio', { name: 'Credit Card' }).check()
      await page.getByRole('textbox', { name: 'Promotion code' }).fill('nosuch')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByText('There is no such coupon.')).toBeVisible()
      await page.getByRole('textbox', { name: 'Promotion code' }).fill('')
      await page.getByRole('button', { name: 'Proceed To Payment' }).click()
      await expect(page.getByText('Card Number cannot be blank!')).toBeVisible()
    },
  },
  {
    name: 'a payment that failed',
    open: async (page) => {
      await page.goto('/subscription/failed')
      await expect(page.getByRole('heading', { name: 'Payment failed' })).toBeVisible()
    },
  },
  {
    name: 'the subscription',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/account/manage-subscription')
      await expect(page.getByRole('button', { name: 'Upgrade Plan' })).toBeVisible()
    },
  },
  {
    name: 'another plan',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/account/manage-subscription')
      await page.getByRole('button', { name: 'Upgrade Plan' }).click()
      await page.getByRole('dialog').getByRole('radio', { name: 'Premium' }).check()
      await expect(page.getByRole('dialog').getByText(/^You pay /)).toBeVisible()
    },
  },
  {
    name: 'billing history',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/account/billing')
      await expect(page.getByRole('table', { name: 'Billing history' }).getByTestId('billing')).toBeVisible()
    },
  },
  {
    name: 'download rescue',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/download-rescue')
      await expect(page.getByTestId('rescue-row').first()).toBeVisible()
    },
  },
  {
    name: 'uploads',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/uploads/index')
      await expect(page.getByRole('group', { name: 'Status' }).getByRole('button', { name: /^All \d/ })).toBeVisible()
    },
  },
  {
    name: 'a song to add',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/uploads/new')
      await page.getByRole('button', { name: 'Add a version' }).click()
      await page.getByRole('combobox', { name: 'Version' }).selectOption({ label: 'A name of its own…' })
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Song title cannot be blank!')).toBeVisible()
      await expect(page.getByText('Please select genre!')).toBeVisible()
    },
  },
  {
    name: 'select song',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/uploads/new')
      await page.getByRole('button', { name: 'Add a version' }).click()
      await page.getByRole('button', { name: /^Select Song/ }).click()
      await expect(dialog(page, 'Select Song').getByRole('button', { name: 'Select', exact: true })).toBeVisible()
    },
  },
  {
    name: 'members’ uploads, one of them open',
    open: async (page) => {
      // It waits for staff as soon as its files have been analysed, which begins when the pool opens.
      await expect(async () => {
        await page.goto('/staff/uploads?find=Second Sunday')
        await page.getByRole('button', { name: 'Open Second Sunday' }).click({ timeout: 5_000 })
      }).toPass({ timeout: 150_000 })
      await expect(page.getByRole('slider', { name: /^Position in / }).first()).toBeVisible()
    },
  },
  {
    name: 'payments of the pool',
    open: async (page) => {
      await page.goto('/staff/payments')
      await expect(page.getByRole('list', { name: 'Payments' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'subscriptions of the pool',
    open: async (page) => {
      await page.goto('/staff/subscriptions')
      await expect(page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'a subscription to be ended',
    open: async (page) => {
      await page.goto('/staff/subscriptions?state=active')
      await page.getByRole('link', { name: 'DJ Marlow' }).click()
      await page.getByRole('button', { name: 'End now…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
      await expect(page.getByText('Say why: your colleagues will want to know.')).toBeVisible()
    },
  },
  {
    name: 'invoices of the pool',
    open: async (page) => {
      await page.goto('/staff/invoices')
      await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'books',
    open: async (page) => {
      await page.goto('/staff/books')
      await expect(page.getByRole('region', { name: 'Paying members' })).toBeVisible()
    },
  },
  {
    name: 'plans of the pool, one of them open',
    open: async (page) => {
      await page.goto('/staff/plans')
      await page.getByRole('link', { name: 'Edit Premium' }).click()
      await expect(page.getByRole('region', { name: 'As members see it' })).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Features' })).toBeVisible()
    },
  },
  {
    name: 'coupons, and one to be made',
    open: async (page) => {
      await page.goto('/staff/coupons')
      await page.getByRole('button', { name: 'New coupon' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('A code has 3 to 40 letters')).toBeVisible()
    },
  },

  {
    name: 'help desk',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/support/faqs')
      await page.getByText('What do Clean, Dirty and Intro mean?').click()
      const form = page.getByRole('form', { name: 'Submit a ticket' })
      await form.getByRole('button', { name: 'Submit' }).click()
      await expect(form.getByText('Subject cannot be blank!')).toBeVisible()
      await expect(form.getByRole('textbox', { name: 'Description' })).toBeVisible()
    },
  },
  {
    name: 'help desk for visitors',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/support/faqs?find=download')
      await expect(page.getByText('A download stopped half-way. Is it lost?')).toBeVisible()
    },
  },
  {
    name: 'tickets',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/tickets/all')
      await expect(page.getByRole('link', { name: 'An invoice with my new address' })).toBeVisible()
    },
  },
  {
    name: 'a ticket',
    who: 'label@demo.test',
    open: async (page) => {
      await page.goto('/tickets/open')
      await page.getByRole('link', { name: 'When is our release looked at?' }).click()
      await page.getByRole('button', { name: 'Reply' }).click()
      await expect(page.getByText('Message cannot be blank!')).toBeVisible()
    },
  },
  {
    name: 'notices',
    who: 'label@demo.test',
    open: async (page) => {
      await page.goto('/notices')
      await page.getByRole('button', { name: /^Notices/ }).click()
      await expect(
        page
          .getByRole('dialog', { name: 'Notices' })
          .getByText(/^Nothing yet|All notices/)
          .first(),
      ).toBeVisible()
    },
  },
  {
    name: 'what comes by mail',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/account/notices')
      await expect(page.getByRole('switch').first()).toBeVisible()
    },
  },
  {
    name: 'saved searches',
    who: 'dj@demo.test',
    open: async (page) => {
      await page.goto('/searches')
      await expect(page.getByRole('heading', { level: 1, name: 'Saved searches' })).toBeVisible()
    },
  },
  {
    name: 'careers',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/career/listing')
      await expect(page.getByRole('link', { name: /^Apply/ }).first()).toBeVisible()
    },
  },
  {
    name: 'contact',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/contact')
      await expect(page.getByRole('heading', { name: 'By post' })).toBeVisible()
    },
  },
  {
    name: 'tickets of the pool',
    open: async (page) => {
      await page.goto('/staff/tickets')
      await expect(page.getByRole('link', { name: 'When is our release looked at?' })).toBeVisible()
    },
  },
  {
    name: 'a ticket of the pool',
    open: async (page) => {
      await page.goto('/staff/tickets?find=missing two tracks&state=all')
      await page.getByRole('link', { name: 'The zip of my crate is missing two tracks' }).click()
      await expect(page.getByRole('textbox', { name: 'Your answer' })).toBeVisible()
    },
  },
  {
    name: 'questions of the pool',
    open: async (page) => {
      await page.goto('/staff/faq')
      await expect(page.getByText('Can I cancel at any time?').first()).toBeVisible()
    },
  },
  {
    name: 'a spotlight that is composed',
    open: async (page) => {
      await page.goto('/staff/programming?open=1')
      await expect(page.getByRole('list', { name: 'Songs in order' }).getByRole('listitem').nth(1)).toBeVisible()
      await page.getByRole('searchbox', { name: 'Search the pool' }).fill('zzqxwvk')
      await expect(page.getByText('Nothing found.')).toBeVisible()
    },
  },
  {
    name: 'top 20 of the pool',
    open: async (page) => {
      await page.goto('/staff/programming?room=top20')
      await expect(page.getByRole('list', { name: 'The top 20s' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'curated genres of the pool',
    open: async (page) => {
      await page.goto('/staff/programming?room=genres')
      await page.getByRole('button', { name: 'New genre' }).click()
      await expect(page.getByRole('list', { name: 'Curated genres' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'what is suggested',
    open: async (page) => {
      await page.goto('/staff/programming?room=suggested')
      await expect(
        page.getByRole('list', { name: 'Spotlights to suggest' }).getByRole('listitem').first(),
      ).toBeVisible()
    },
  },
  {
    name: 'trending of the pool',
    open: async (page) => {
      await page.goto('/staff/programming?room=trending')
      await page
        .getByRole('button', { name: /^Pin .* by / })
        .first()
        .click()
      await expect(page.getByRole('spinbutton', { name: 'Rank' })).toBeFocused()
    },
  },
  {
    name: 'what is ahead',
    open: async (page) => {
      await page.goto('/staff/programming?room=schedule')
      await expect(
        page.getByRole('list', { name: 'What is ahead' }).or(page.getByText('Nothing is ahead')),
      ).toBeVisible()
    },
  },
  {
    name: 'a preview',
    open: (page) => openList(page, '/staff/programming/preview?kind=top20&open=1'),
  },
  {
    name: 'announcements of the pool',
    open: async (page) => {
      await page.goto('/staff/announcements?open=new')
      await page.getByRole('textbox', { name: 'Announcement' }).fill('Doors open at ten')
      await expect(page.getByRole('heading', { name: 'As it will look' })).toBeVisible()
    },
  },
  {
    name: 'merchandise of the pool',
    open: async (page) => {
      await page.goto('/staff/merchandise')
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'songs of the desk',
    open: async (page) => {
      await page.goto('/staff/songs?sort=title')
      const table = page.getByRole('grid', { name: 'Songs' })
      await table.locator('td[data-column=versions]').first().click()
      await expect(page.getByRole('list', { name: /^Versions of/ })).toBeVisible()
      await table.locator('td[data-column=title]').nth(1).click()
      await page.keyboard.press('Space')
      await page.keyboard.press('Shift+ArrowDown')
      await expect(page.getByRole('region', { name: 'Selected songs' })).toContainText('2 songs selected')
      await page.keyboard.press('F2')
      await expect(table.getByRole('textbox', { name: /^Title of/ })).toBeFocused()
    },
  },
  {
    name: 'songs edited together',
    open: async (page) => {
      await page.goto('/staff/songs?sort=title')
      const table = page.getByRole('grid', { name: 'Songs' })
      await table.locator('td[data-column=title]').first().click()
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Edit…' }).click()
      const edit = dialog(page, 'Edit 1 song')
      await edit.getByRole('textbox', { name: 'Year of all of them' }).fill('1901')
      await expect(edit.getByRole('status')).toHaveText('Changes 1 song.')
    },
  },
  {
    name: 'song of the desk',
    open: async (page) => {
      await page.goto(`/staff/songs/${firstOf(await newestSongs(1)).entity_id}`)
      await expect(page.getByRole('textbox', { name: 'Title' })).not.toHaveValue('')
    },
  },
  {
    name: 'pages of the pool',
    open: async (page) => {
      await page.goto('/staff/pages?open=terms')
      await expect(page.getByRole('textbox', { name: 'Text' })).not.toHaveValue('')
    },
  },
  {
    name: 'members of the pool',
    open: async (page) => {
      await page.goto('/staff/members?find=Marlow')
      await expect(page.getByRole('link', { name: 'DJ Marlow' }).first()).toBeVisible()
    },
  },
  {
    name: 'a member of the pool',
    open: async (page) => {
      await page.goto('/staff/members?find=dj@demo.test')
      await page.getByRole('link', { name: 'DJ Marlow' }).first().click()
      await expect(page.getByText('dj@demo.test').first()).toBeVisible()
    },
  },
  {
    name: 'the audit log',
    open: async (page) => {
      await page.goto('/staff/audit')
      await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
    },
  },
  {
    name: 'settings: a colour that cannot be read',
    open: async (page) => {
      await page.goto('/staff/settings')
      const card = page.getByRole('form', { name: 'Colour' })
      await card.getByRole('textbox', { name: 'By night', exact: true }).fill('#223366')
      await card.getByRole('button', { name: 'Save' }).click()
      await expect(card.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'settings: visitors and site',
    open: async (page) => {
      await page.goto('/staff/settings?part=site')
      await expect(page.getByRole('form', { name: 'Parts of the site' })).toBeVisible()
    },
  },
  {
    name: 'settings: limits',
    open: async (page) => {
      await page.goto('/staff/settings?part=limits')
      await expect(page.getByRole('form', { name: 'Limits' })).toBeVisible()
    },
  },
  {
    name: 'settings: mail and store',
    open: async (page) => {
      await page.goto('/staff/settings?part=mail')
      await expect(page.getByRole('form', { name: 'Sender of mail' })).toBeVisible()
    },
  },
  {
    name: 'settings: pages and environment',
    open: async (page) => {
      await page.goto('/staff/settings?part=around')
      await expect(page.getByRole('region', { name: 'What only the environment says' })).toBeVisible()
    },
  },
  {
    name: 'the jobs of the pool',
    open: async (page) => {
      await page.goto('/staff/jobs')
      await expect(page.getByText('refresh_charts').first()).toBeVisible()
    },
  },
  {
    name: 'the desk of the back office, with a table open',
    open: async (page) => {
      await page.goto('/staff')
      await page.getByRole('article', { name: 'Downloads' }).getByText('Table').click()
      await expect(page.getByRole('table').first()).toBeVisible()
      await expect(page.getByRole('heading', { name: 'What waits' })).toBeVisible()
    },
  },
  {
    name: 'saved answers, one being written',
    open: async (page) => {
      await page.goto('/staff/answers')
      await page.getByRole('button', { name: 'New answer' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Give it a name.')).toBeVisible()
      await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeVisible()
    },
  },
  {
    name: 'the storage of the pool',
    open: async (page) => {
      await page.goto('/staff/storage')
      await page.getByText('How to bring one back').click()
      await expect(page.getByText('--dry-run')).toBeVisible()
    },
  },
  {
    name: 'the tree of genres, one being written',
    open: async (page) => {
      await page.goto('/staff/genres')
      await page.getByRole('button', { name: 'Edit House', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Edit the genre' })).toBeVisible()
      await expect(page.getByRole('list', { name: 'Moods' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'a genre to be merged',
    open: async (page) => {
      await page.goto('/staff/genres')
      await page.getByRole('button', { name: 'Merge House into another one' }).click()
      await expect(dialog(page, 'Merge “House”').getByLabel('Into')).toBeVisible()
    },
  },
  {
    name: 'imports',
    open: async (page) => {
      await page.goto('/staff/import')
      await expect(page.getByRole('button', { name: 'Choose a folder' })).toBeVisible()
      await expect(
        page.getByRole('region', { name: 'From a folder on the server' }).getByRole('textbox', { name: 'Folder' }),
      ).toBeVisible()
    },
  },
  {
    name: 'songs to be merged',
    open: async (page) => {
      await page.goto('/staff/songs')
      const boxes = page.getByRole('row').getByRole('checkbox')
      await boxes.nth(1).click()
      await boxes.nth(2).click()
      await page.getByRole('button', { name: 'Merge…' }).click()
      await expect(dialog(page, 'Merge 2 songs').getByRole('radio').first()).toBeVisible()
    },
  },
  {
    name: 'a wrong address',
    isVisitors: true,
    open: async (page) => {
      await page.goto('/no/such/page')
      await expect(page.getByRole('heading', { name: 'Nothing here' })).toBeVisible()
    },
  },
]
