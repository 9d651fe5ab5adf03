import { imports } from '@dubplate/contract'
import { callApi, dialog, expect, getDemoSongs, getFirst, getToken } from '../support.ts'
import { checkScreens, load, openList, visit } from './check.ts'

checkScreens([
  {
    name: 'back office: applications',
    open: async (page) => {
      await visit(page, '/staff/applications')
      await page.getByRole('row', { name: 'Teo Contreras' }).press('n')
      await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused()
    },
  },
  {
    name: 'back office: decline an application',
    open: async (page) => {
      await visit(page, '/staff/applications')
      await page.getByRole('row', { name: 'Teo Contreras' }).press('d')
      await expect(page.getByLabel('Reason')).toBeFocused()
    },
  },
  {
    name: 'back office: email',
    open: async (page) => {
      await visit(page, '/staff/outgoing-mail')
      await expect(page.getByRole('heading', { level: 1, name: 'Email' })).toBeVisible()
    },
  },
  {
    name: 'back office: uploads to review',
    open: async (page) => {
      // The upload is in review once its files have been analysed, which starts with the server. Visiting the same
      // address again would not load the list again.
      await expect(async () => {
        await load(page, '/staff/uploads?find=Second Sunday')
        await page.getByRole('row', { name: 'Second Sunday' }).press('Enter', { timeout: 5_000 })
      }).toPass({ timeout: 400_000 })
      await expect(page.getByRole('slider', { name: /^Position in / }).first()).toBeVisible()
    },
  },
  {
    name: 'back office: payments',
    open: async (page) => {
      await visit(page, '/staff/payments')
      await expect(page.locator('[data-row]').first()).toBeVisible()
    },
  },
  {
    name: 'back office: subscriptions',
    open: async (page) => {
      await visit(page, '/staff/subscriptions')
      await expect(page.locator('[data-row]').first()).toBeVisible()
    },
  },
  {
    name: 'back office: end subscription dialog',
    open: async (page) => {
      await visit(page, '/staff/subscriptions?state=active')
      await page.getByRole('link', { name: 'DJ Marlow' }).click()
      await page.getByRole('button', { name: 'End now…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click()
      await expect(page.getByText('Enter a reason. Your colleagues will see it.')).toBeVisible()
    },
  },
  {
    name: 'back office: invoices',
    open: async (page) => {
      await visit(page, '/staff/invoices')
      await expect(page.locator('[data-row]').first()).toBeVisible()
    },
  },
  {
    name: 'back office: reports',
    open: async (page) => {
      await visit(page, '/staff/reports')
      await expect(page.getByRole('region', { name: 'Paying members' })).toBeVisible()
    },
  },
  {
    name: 'back office: plans',
    open: async (page) => {
      await visit(page, '/staff/plans')
      await page.getByRole('list', { name: 'Plans' }).getByText('Premium').first().click()
      await expect(page.getByRole('region', { name: 'Preview' })).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Features' })).toBeVisible()
    },
  },
  {
    name: 'back office: coupons',
    open: async (page) => {
      await visit(page, '/staff/coupons')
      await page.getByRole('button', { name: 'New coupon' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Use 3 to 40 characters')).toBeVisible()
    },
  },
  {
    name: 'back office: tickets',
    open: async (page) => {
      await visit(page, '/staff/tickets')
      await expect(page.getByRole('link', { name: 'When will our release be reviewed?' })).toBeVisible()
    },
  },
  {
    name: 'back office: ticket',
    open: async (page) => {
      await visit(page, '/staff/tickets?find=two tracks missing&state=all')
      await page.getByRole('link', { name: 'Two tracks missing from my crate zip' }).click()
      await expect(page.getByRole('textbox', { name: 'Reply' })).toBeVisible()
    },
  },
  {
    name: 'back office: help articles',
    open: async (page) => {
      await visit(page, '/staff/help-articles')
      await expect(page.getByText('Can I cancel at any time?').first()).toBeVisible()
    },
  },
  {
    name: 'back office: spotlight editor',
    open: async (page) => {
      await visit(page, '/staff/curation?open=1')
      await expect(page.getByRole('list', { name: 'Songs in this list' }).getByRole('listitem').nth(1)).toBeVisible()
      await page.getByRole('searchbox', { name: 'Search songs' }).fill('zzqxwvk')
      await expect(page.getByText('No matches')).toBeVisible()
    },
  },
  {
    name: 'back office: top 20s',
    open: async (page) => {
      await visit(page, '/staff/curation?view=top20')
      await expect(page.getByRole('region', { name: 'top 20s' }).getByRole('row').nth(1)).toBeVisible()
    },
  },
  {
    name: 'back office: curated genres',
    open: async (page) => {
      await visit(page, '/staff/curation?view=genres')
      await page.getByRole('button', { name: 'New curated genre' }).click()
      await expect(page.getByRole('list', { name: 'Curated genres' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'back office: suggested spotlights',
    open: async (page) => {
      await visit(page, '/staff/curation?view=suggested')
      await expect(
        page.getByRole('list', { name: 'Spotlights to suggest' }).getByRole('listitem').first(),
      ).toBeVisible()
    },
  },
  {
    name: 'back office: trending',
    open: async (page) => {
      await visit(page, '/staff/curation?view=trending')
      await page
        .getByRole('button', { name: /^Pin .* by / })
        .first()
        .click()
      await expect(page.getByRole('spinbutton', { name: 'Rank' })).toBeFocused()
    },
  },
  {
    name: 'back office: schedule',
    open: async (page) => {
      await visit(page, '/staff/curation?view=schedule')
      await expect(page.getByRole('table', { name: 'Schedule' }).or(page.getByText('Nothing scheduled'))).toBeVisible()
    },
  },
  {
    name: 'back office: list preview',
    open: (page) => openList(page, '/staff/curation/preview?kind=top20&open=1'),
  },
  {
    name: 'back office: announcements',
    open: async (page) => {
      await visit(page, '/staff/announcements?open=new')
      await page.getByRole('textbox', { name: 'Announcement' }).fill('Doors open at ten')
      await expect(page.getByRole('note').getByText('Doors open at ten')).toBeVisible()
    },
  },
  {
    name: 'back office: merchandise',
    open: async (page) => {
      await visit(page, '/staff/merchandise')
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'back office: songs',
    open: async (page) => {
      await load(page, '/staff/songs?sort=title')
      const table = page.getByRole('grid', { name: 'Songs' })
      await table.locator('td[data-column=title] button').first().click()
      await expect(page.getByRole('list', { name: /^Versions of/ })).toBeVisible()
      await table.locator('td[data-column=artist]').nth(1).click()
      await page.keyboard.press('Space')
      await page.keyboard.press('Shift+ArrowDown')
      await expect(page.getByRole('status').filter({ hasText: '2 selected' })).toBeVisible()
      await page.keyboard.press('F2')
      await expect(table.getByRole('textbox', { name: /^Artist for/ })).toBeFocused()
    },
  },
  {
    name: 'back office: edit songs dialog',
    open: async (page) => {
      await load(page, '/staff/songs?sort=title')
      const table = page.getByRole('grid', { name: 'Songs' })
      await table.locator('td[data-column=artist]').first().click()
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Edit…' }).click()
      const edit = dialog(page, 'Edit 1 song')
      await edit.getByRole('textbox', { name: 'Year for all selected songs' }).fill('1901')
      await expect(edit.getByRole('status')).toHaveText('1 song will be updated.')
    },
  },
  {
    name: 'back office: song',
    open: async (page) => {
      await visit(page, `/staff/songs/${getFirst(await getDemoSongs(1)).entity_id}`)
      await expect(page.getByRole('textbox', { name: 'Title' })).not.toHaveValue('')
    },
  },
  {
    name: 'back office: pages',
    open: async (page) => {
      await visit(page, '/staff/pages?open=terms')
      await expect(page.getByRole('textbox', { name: 'Text' })).not.toHaveValue('')
    },
  },
  {
    name: 'back office: members',
    open: async (page) => {
      await visit(page, '/staff/members?find=Marlow')
      await expect(page.getByRole('link', { name: 'DJ Marlow' }).first()).toBeVisible()
    },
  },
  {
    name: 'back office: member',
    open: async (page) => {
      await visit(page, '/staff/members?find=dj@demo.test')
      await page.getByRole('link', { name: 'DJ Marlow' }).first().click()
      await expect(page.getByRole('heading', { level: 1, name: 'DJ Marlow' })).toBeVisible()
    },
  },
  {
    name: 'back office: audit log',
    open: async (page) => {
      await visit(page, '/staff/audit')
      await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
    },
  },
  {
    name: 'back office: appearance',
    open: async (page) => {
      await visit(page, '/staff/appearance')
      const card = page.getByRole('region', { name: 'Accent colour' })
      await card.getByRole('textbox', { name: 'Dark mode', exact: true }).fill('#223366')
      await card.getByRole('button', { name: 'Save' }).click()
      await expect(card.getByText(/^Contrast too low/)).toBeVisible()
    },
  },
  {
    name: 'back office: access and section settings',
    open: async (page) => {
      await visit(page, '/staff/settings?view=site')
      await expect(page.getByRole('form', { name: 'Sections' })).toBeVisible()
    },
  },
  {
    name: 'back office: limit settings',
    open: async (page) => {
      await visit(page, '/staff/settings?view=limits')
      await expect(page.getByRole('form', { name: 'Limits' })).toBeVisible()
    },
  },
  {
    name: 'back office: email and store settings',
    open: async (page) => {
      await visit(page, '/staff/settings?view=mail')
      await expect(page.getByRole('form', { name: 'Sender' })).toBeVisible()
    },
  },
  {
    name: 'back office: environment settings',
    open: async (page) => {
      await visit(page, '/staff/settings?view=environment')
      await expect(page.getByRole('region', { name: 'Environment' })).toBeVisible()
    },
  },
  {
    name: 'back office: jobs',
    open: async (page) => {
      await visit(page, '/staff/jobs')
      await expect(page.getByText('refresh_charts').first()).toBeVisible()
    },
  },
  {
    name: 'back office: dashboard',
    open: async (page) => {
      await visit(page, '/staff')
      await page.getByText(/^Table: /).click()
      await expect(page.getByRole('table').first()).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible()
      // Mantine's styles are in the right order, however the build divides them into files (web/src/styles/layers.css).
      await expect(page.getByRole('button', { name: 'Export CSV' })).not.toHaveCSS('padding-left', '0px')
    },
  },
  {
    name: 'back office: saved replies',
    open: async (page) => {
      await visit(page, '/staff/saved-replies')
      await page.getByRole('button', { name: 'New saved reply' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('Enter a name.')).toBeVisible()
      await expect(page.getByRole('toolbar', { name: 'Formatting' })).toBeVisible()
    },
  },
  {
    name: 'back office: storage and backups',
    open: async (page) => {
      await visit(page, '/staff/storage')
      await page.getByText('How to restore').click()
      await expect(page.getByText('--dry-run')).toBeVisible()
    },
  },
  {
    name: 'back office: genres',
    open: async (page) => {
      await visit(page, '/staff/genres')
      await page.getByRole('list', { name: 'Genres' }).getByText('House', { exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Edit genre' })).toBeVisible()
    },
  },
  {
    name: 'back office: merge genre dialog',
    open: async (page) => {
      await visit(page, '/staff/genres')
      await page.getByRole('button', { name: 'Actions for House', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Merge…' }).click()
      await expect(dialog(page, 'Merge “House”').getByLabel('Merge into')).toBeVisible()
    },
  },
  {
    name: 'back office: import',
    open: async (page) => {
      await visit(page, '/staff/import')
      await expect(page.getByRole('button', { name: 'Choose folder' })).toBeVisible()
      await expect(
        page.getByRole('region', { name: 'From a server folder' }).getByRole('textbox', { name: 'Folder' }),
      ).toBeVisible()
    },
  },
  {
    name: 'back office: one import',
    open: async (page) => {
      const token = await getToken('staff@demo.test')
      const { import: run } = await callApi(imports.createUploadImport, { folder: 'Crate' }, token)
      const files = [{ path: 'sub/Kwame - Pier.wav', bytes: 9, sha256: '0'.repeat(64) }]
      await callApi(imports.registerFiles, { import_run_id: run.import_run_id, files }, token)
      await visit(page, `/staff/import?run=${run.import_run_id}&open=1`)
      await expect(page.getByRole('region', { name: 'Continue upload' })).toBeVisible()
      await expect(page.getByText('Kwame - Pier.wav').first()).toBeVisible()
    },
  },
  {
    name: 'back office: merge songs dialog',
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
