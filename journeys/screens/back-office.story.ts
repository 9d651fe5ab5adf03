import { dialog, expect, firstOf, newestSongs } from '../support.ts'
import { checkScreens, load, openList, visit } from './check.ts'

checkScreens([
  {
    name: 'applications',
    open: async (page) => {
      await visit(page, '/staff/applications')
      await page.getByRole('listitem', { name: 'Teo Contreras' }).getByRole('button', { name: 'Decline…' }).click()
      await expect(page.getByLabel('Reason')).toBeFocused()
    },
  },
  {
    name: 'outgoing mail',
    open: async (page) => {
      await visit(page, '/staff/outgoing-mail')
      await expect(page.getByRole('heading', { level: 1, name: 'Email' })).toBeVisible()
    },
  },
  {
    name: 'members’ uploads, one of them open',
    open: async (page) => {
      // It waits for staff as soon as its files have been analysed, which begins when the pool opens.
      await expect(async () => {
        await visit(page, '/staff/uploads?find=Second Sunday')
        await page.getByRole('button', { name: 'Expand Second Sunday' }).click({ timeout: 5_000 })
      }).toPass({ timeout: 400_000 })
      await expect(page.getByRole('slider', { name: /^Position in / }).first()).toBeVisible()
    },
  },
  {
    name: 'payments of the pool',
    open: async (page) => {
      await visit(page, '/staff/payments')
      await expect(page.getByRole('list', { name: 'Payments' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'subscriptions of the pool',
    open: async (page) => {
      await visit(page, '/staff/subscriptions')
      await expect(page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'a subscription to be ended',
    open: async (page) => {
      await visit(page, '/staff/subscriptions?state=active')
      await page.getByRole('link', { name: 'DJ Marlow' }).click()
      await page.getByRole('button', { name: 'End now…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
      await expect(page.getByText('Enter a reason. Your colleagues will see it.')).toBeVisible()
    },
  },
  {
    name: 'invoices of the pool',
    open: async (page) => {
      await visit(page, '/staff/invoices')
      await expect(page.getByRole('list', { name: 'Invoices' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'books',
    open: async (page) => {
      await visit(page, '/staff/books')
      await expect(page.getByRole('region', { name: 'Paying members' })).toBeVisible()
    },
  },
  {
    name: 'plans of the pool, one of them open',
    open: async (page) => {
      await visit(page, '/staff/plans')
      await page.getByRole('link', { name: 'Edit Premium' }).click()
      await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Features' })).toBeVisible()
    },
  },
  {
    name: 'coupons, and one to be made',
    open: async (page) => {
      await visit(page, '/staff/coupons')
      await page.getByRole('button', { name: 'New coupon' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Use 3 to 40 letters')).toBeVisible()
    },
  },
  {
    name: 'tickets of the pool',
    open: async (page) => {
      await visit(page, '/staff/tickets')
      await expect(page.getByRole('link', { name: 'When will our release be reviewed?' })).toBeVisible()
    },
  },
  {
    name: 'a ticket of the pool',
    open: async (page) => {
      await visit(page, '/staff/tickets?find=missing two tracks&state=all')
      await page.getByRole('link', { name: 'Two tracks missing from my crate zip' }).click()
      await expect(page.getByRole('textbox', { name: 'Reply' })).toBeVisible()
    },
  },
  {
    name: 'questions of the pool',
    open: async (page) => {
      await visit(page, '/staff/faq')
      await expect(page.getByText('Can I cancel at any time?').first()).toBeVisible()
    },
  },
  {
    name: 'a spotlight that is composed',
    open: async (page) => {
      await visit(page, '/staff/programming?open=1')
      await expect(page.getByRole('list', { name: 'Songs in this list' }).getByRole('listitem').nth(1)).toBeVisible()
      await page.getByRole('searchbox', { name: 'Search songs' }).fill('zzqxwvk')
      await expect(page.getByText('No matches')).toBeVisible()
    },
  },
  {
    name: 'top 20 of the pool',
    open: async (page) => {
      await visit(page, '/staff/programming?room=top20')
      await expect(page.getByRole('list', { name: 'top 20s' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'curated genres of the pool',
    open: async (page) => {
      await visit(page, '/staff/programming?room=genres')
      await page.getByRole('button', { name: 'New curated genre' }).click()
      await expect(page.getByRole('list', { name: 'Curated genres' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'what is suggested',
    open: async (page) => {
      await visit(page, '/staff/programming?room=suggested')
      await expect(
        page.getByRole('list', { name: 'Spotlights to suggest' }).getByRole('listitem').first(),
      ).toBeVisible()
    },
  },
  {
    name: 'trending of the pool',
    open: async (page) => {
      await visit(page, '/staff/programming?room=trending')
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
      await visit(page, '/staff/programming?room=schedule')
      await expect(page.getByRole('list', { name: 'Schedule' }).or(page.getByText('Nothing scheduled'))).toBeVisible()
    },
  },
  {
    name: 'a preview',
    open: (page) => openList(page, '/staff/programming/preview?kind=top20&open=1'),
  },
  {
    name: 'announcements of the pool',
    open: async (page) => {
      await visit(page, '/staff/announcements?open=new')
      await page.getByRole('textbox', { name: 'Announcement' }).fill('Doors open at ten')
      await expect(page.getByRole('heading', { name: 'Preview' })).toBeVisible()
    },
  },
  {
    name: 'merchandise of the pool',
    open: async (page) => {
      await visit(page, '/staff/merchandise')
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'songs of the desk',
    open: async (page) => {
      await load(page, '/staff/songs?sort=title')
      const table = page.getByRole('grid', { name: 'Songs' })
      await table.locator('td[data-column=versions]').first().click()
      await expect(page.getByRole('list', { name: /^Versions of/ })).toBeVisible()
      await table.locator('td[data-column=title]').nth(1).click()
      await page.keyboard.press('Space')
      await page.keyboard.press('Shift+ArrowDown')
      await expect(page.getByRole('region', { name: 'Selected songs' })).toContainText('2 songs selected')
      await page.keyboard.press('F2')
      await expect(table.getByRole('textbox', { name: /^Title for/ })).toBeFocused()
    },
  },
  {
    name: 'songs edited together',
    open: async (page) => {
      await load(page, '/staff/songs?sort=title')
      const table = page.getByRole('grid', { name: 'Songs' })
      await table.locator('td[data-column=title]').first().click()
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Edit…' }).click()
      const edit = dialog(page, 'Edit 1 song')
      await edit.getByRole('textbox', { name: 'Year for all selected songs' }).fill('1901')
      await expect(edit.getByRole('status')).toHaveText('1 song will be updated.')
    },
  },
  {
    name: 'song of the desk',
    open: async (page) => {
      await visit(page, `/staff/songs/${firstOf(await newestSongs(1)).entity_id}`)
      await expect(page.getByRole('textbox', { name: 'Title' })).not.toHaveValue('')
    },
  },
  {
    name: 'pages of the pool',
    open: async (page) => {
      await visit(page, '/staff/pages?open=terms')
      await expect(page.getByRole('textbox', { name: 'Text' })).not.toHaveValue('')
    },
  },
  {
    name: 'members of the pool',
    open: async (page) => {
      await visit(page, '/staff/members?find=Marlow')
      await expect(page.getByRole('link', { name: 'DJ Marlow' }).first()).toBeVisible()
    },
  },
  {
    name: 'a member of the pool',
    open: async (page) => {
      await visit(page, '/staff/members?find=dj@demo.test')
      await page.getByRole('link', { name: 'DJ Marlow' }).first().click()
      await expect(page.getByText('dj@demo.test').first()).toBeVisible()
    },
  },
  {
    name: 'the audit log',
    open: async (page) => {
      await visit(page, '/staff/audit')
      await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
    },
  },
  {
    name: 'settings: a colour that cannot be read',
    open: async (page) => {
      await visit(page, '/staff/settings')
      const card = page.getByRole('form', { name: 'Accent colour' })
      await card.getByRole('textbox', { name: 'Dark mode', exact: true }).fill('#223366')
      await card.getByRole('button', { name: 'Save' }).click()
      await expect(card.getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'settings: visitors and site',
    open: async (page) => {
      await visit(page, '/staff/settings?part=site')
      await expect(page.getByRole('form', { name: 'Sections' })).toBeVisible()
    },
  },
  {
    name: 'settings: limits',
    open: async (page) => {
      await visit(page, '/staff/settings?part=limits')
      await expect(page.getByRole('form', { name: 'Limits' })).toBeVisible()
    },
  },
  {
    name: 'settings: mail and store',
    open: async (page) => {
      await visit(page, '/staff/settings?part=mail')
      await expect(page.getByRole('form', { name: 'Sender' })).toBeVisible()
    },
  },
  {
    name: 'settings: pages and environment',
    open: async (page) => {
      await visit(page, '/staff/settings?part=around')
      await expect(page.getByRole('region', { name: 'Environment' })).toBeVisible()
    },
  },
  {
    name: 'the jobs of the pool',
    open: async (page) => {
      await visit(page, '/staff/jobs')
      await expect(page.getByText('refresh_charts').first()).toBeVisible()
    },
  },
  {
    name: 'the desk of the back office, with a table open',
    open: async (page) => {
      await visit(page, '/staff')
      await page.getByRole('article', { name: 'Downloads' }).getByText('Table').click()
      await expect(page.getByRole('table').first()).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
    },
  },
  {
    name: 'saved answers, one being written',
    open: async (page) => {
      await visit(page, '/staff/answers')
      await page.getByRole('button', { name: 'New saved reply' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Enter a name.')).toBeVisible()
      await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeVisible()
    },
  },
  {
    name: 'the storage of the pool',
    open: async (page) => {
      await visit(page, '/staff/storage')
      await page.getByText('How to restore').click()
      await expect(page.getByText('--dry-run')).toBeVisible()
    },
  },
  {
    name: 'the tree of genres, one being written',
    open: async (page) => {
      await visit(page, '/staff/genres')
      await page.getByRole('button', { name: 'Edit House', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Edit genre' })).toBeVisible()
      await expect(page.getByRole('list', { name: 'Moods' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'a genre to be merged',
    open: async (page) => {
      await visit(page, '/staff/genres')
      await page.getByRole('button', { name: 'Merge House into another genre' }).click()
      await expect(dialog(page, 'Merge “House”').getByLabel('Merge into')).toBeVisible()
    },
  },
  {
    name: 'imports',
    open: async (page) => {
      await visit(page, '/staff/import')
      await expect(page.getByRole('button', { name: 'Choose folder' })).toBeVisible()
      await expect(
        page.getByRole('region', { name: 'From a server folder' }).getByRole('textbox', { name: 'Folder' }),
      ).toBeVisible()
    },
  },
  {
    name: 'songs to be merged',
    open: async (page) => {
      await load(page, '/staff/songs')
      const boxes = page.getByRole('row').getByRole('checkbox')
      await boxes.nth(1).click()
      await boxes.nth(2).click()
      await page.getByRole('button', { name: 'Merge…' }).click()
      await expect(dialog(page, 'Merge 2 songs').getByRole('radio').first()).toBeVisible()
    },
  },
])
