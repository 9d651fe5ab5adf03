import { announcements, site, sitePages } from '@dubplate/contract'
import { mailsTo } from './mail-server.ts'
import { type Account, aMember, elsewhere } from './members.ts'
import { ask, comeDown, enterAs, expect, otherBrowser, test, tokenOf } from './support.ts'

test('an announcement is written with a preview, shown to whom it is for, and hidden for good', async ({
  page,
  browser,
}) => {
  const words = `Doors open at ten ${crypto.randomUUID().slice(0, 6)}`
  const member = await aMember('DJ Door')
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/announcements')
  await page.getByRole('link', { name: 'New announcement' }).click()
  const form = page.locator('form', { has: page.getByRole('heading', { name: 'New announcement' }) })
  await form.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(form.getByText('Enter the announcement text.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Announcement' }).fill(words)
  await expect(form.getByRole('note').getByText(words)).toBeVisible()
  await form.getByLabel('Page').selectOption('Charts')
  await form.getByLabel('Audience').selectOption({ index: 1 })
  // What is typed outlives the page.
  await page.reload()
  await expect(form.getByRole('textbox', { name: 'Announcement' })).toHaveText(words)
  await form.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Announcements' }).getByText(words)).toBeVisible()

  const visitor = await otherBrowser(browser)
  await visitor.goto('/charts')
  await expect(visitor.getByRole('heading', { name: 'Charts', level: 1 })).toBeVisible()
  const own = await elsewhere(browser, member, '/charts')
  await expect(own.getByText(words)).toBeVisible()
  await expect(visitor.getByText(words)).toHaveCount(0)
  await own.getByRole('button', { name: 'Dismiss announcement' }).click()
  await expect(own.getByText(words)).toBeHidden()
  const another = await elsewhere(browser, member, '/charts')
  await expect(another.getByRole('heading', { name: 'Charts', level: 1 })).toBeVisible()
  await expect.poll(async () => (await announcedTo(member)).includes(words)).toBe(false)
  await expect(another.getByText(words)).toHaveCount(0)

  const { announcements: current } = await ask(announcements.getAnnouncements, {}, await tokenOf('staff@demo.test'))
  const written = current.find(({ message }) => message.includes(words))
  await ask(announcements.endAnnouncement, { message_id: written?.message_id ?? 0 }, await tokenOf('staff@demo.test'))
})

const announcedTo = async ({ token }: Account) =>
  (await ask(site.getAnnouncements, { page_name: 'mp3_chart' }, token)).announcements
    .map(({ message }) => message)
    .join()

test('a visitor subscribes to the newsletter, confirms by email, and unsubscribes with one click', {
  tag: '@smoke',
}, async ({ page }) => {
  const email = `${crypto.randomUUID().slice(0, 8)}@reader.test`
  await page.goto('/terms')
  const box = page.getByRole('textbox', { name: /^Newsletter/ })
  await box.fill(email)
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(page.getByText('Check your email.')).toBeVisible()
  await page.goto(await linkIn(email, 'confirm'))
  await expect(page.getByRole('heading', { name: 'You’re subscribed', exact: true })).toBeVisible()
  await page.goto(await linkIn(email, 'leave'))
  await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
  await page.getByRole('button', { name: 'Resubscribe' }).click()
  await expect(page.getByRole('heading', { name: 'You’re subscribed again' })).toBeVisible()
})

/** The path of a link in the newsletter's mails to an address. */
async function linkIn(email: string, what: 'confirm' | 'leave'): Promise<string> {
  const link = new RegExp(`/newsletter/${what}/\\S+`)
  const find = async () => link.exec((await mailsTo(email)).map(({ text }) => text).join('\n'))?.[0]
  await expect.poll(find).toMatch(link)
  return (await find()) ?? ''
}

test('a page is written in Markdown by staff and read by everybody', { tag: '@smoke' }, async ({ page, browser }) => {
  const sentence = `Nobody owes anybody ${crypto.randomUUID().slice(0, 6)}`
  const staff = await tokenOf('staff@demo.test')
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/pages')
  await page
    .getByRole('group', { name: 'Page' })
    .getByText(/^Privacy/)
    .click()
  const text = page.getByRole('textbox', { name: 'Text' })
  await expect(text).not.toHaveValue('')
  const before = await text.inputValue()
  await text.fill(`## Between us\n\n${sentence}\n\n${before}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const visitor = await otherBrowser(browser)
  await expect.poll(async () => (await ask(site.getPage, { slug: 'privacy' })).html).toContain('<h2>Between us</h2>')
  await visitor.goto('/')
  await comeDown(visitor)
  await visitor.goto('/terms')
  await visitor.getByRole('link', { name: 'Privacy' }).click()
  await expect(visitor.getByRole('heading', { name: 'Between us' })).toBeVisible()
  await expect(visitor.getByText(sentence)).toBeVisible()
  const { pages } = await ask(sitePages.getPages, {}, staff)
  const now = pages.find(({ slug }) => slug === 'privacy')
  await ask(
    sitePages.savePage,
    { slug: 'privacy', title: 'Privacy', markdown: before, version: now?.version ?? 0 },
    staff,
  )
})
