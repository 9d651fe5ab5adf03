import { announcements, site, sitePages } from '@dubplate/contract'
import { readMailTo } from './mail-server.ts'
import { type Account, createMember, signInElsewhere } from './members.ts'
import { callApi, expect, openAs, otherBrowser, scrollToBottom, test, tokenOf } from './support.ts'

test('an announcement is written with a preview, shown to whom it is for, and hidden for good', async ({
  page,
  browser,
}) => {
  const words = `Doors open at ten ${crypto.randomUUID().slice(0, 6)}`
  const member = await createMember('DJ Door')
  await openAs(page, 'staff@demo.test')
  await page.goto('/staff/announcements')
  await page.getByRole('link', { name: 'New announcement' }).click()
  const form = page.locator('form', { has: page.getByRole('heading', { name: 'New announcement' }) })
  await form.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(form.getByText('Write the announcement.')).toBeVisible()
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
  const own = await signInElsewhere(browser, member, '/charts')
  await expect(own.getByText(words)).toBeVisible()
  await expect(visitor.getByText(words)).toHaveCount(0)
  await own.getByRole('button', { name: 'Dismiss announcement' }).click()
  await expect(own.getByText(words)).toBeHidden()
  const otherPage = await signInElsewhere(browser, member, '/charts')
  await expect(otherPage.getByRole('heading', { name: 'Charts', level: 1 })).toBeVisible()
  await expect.poll(async () => (await announcementsFor(member)).includes(words)).toBe(false)
  await expect(otherPage.getByText(words)).toHaveCount(0)

  const { announcements: current } = await callApi(announcements.getAnnouncements, {}, await tokenOf('staff@demo.test'))
  const renderedHtml = current.find(({ message }) => message.includes(words))
  await callApi(
    announcements.endAnnouncement,
    { message_id: renderedHtml?.message_id ?? 0 },
    await tokenOf('staff@demo.test'),
  )
})

const announcementsFor = async ({ token }: Account) =>
  (await callApi(site.getAnnouncements, { page_name: 'mp3_chart' }, token)).announcements
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
  await expect(page.getByText('Look into your mail')).toBeVisible()
  await page.goto(await newsletterLink(email, 'confirm'))
  await expect(page.getByRole('heading', { name: 'You are subscribed' })).toBeVisible()
  await page.goto(await newsletterLink(email, 'leave'))
  await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
  await page.getByRole('button', { name: 'Resubscribe' }).click()
  await expect(page.getByRole('heading', { name: 'You’re subscribed again' })).toBeVisible()
})

/** The path of a link in the newsletter's mails to an address. */
async function newsletterLink(email: string, what: 'confirm' | 'leave'): Promise<string> {
  const link = new RegExp(`/newsletter/${what}/\\S+`)
  const find = async () => link.exec((await readMailTo(email)).map(({ text }) => text).join('\n'))?.[0]
  await expect.poll(find).toMatch(link)
  return (await find()) ?? ''
}

test('a page is written in Markdown by staff and read by everybody', { tag: '@smoke' }, async ({ page, browser }) => {
  const sentence = `Nobody owes anybody ${crypto.randomUUID().slice(0, 6)}`
  const staff = await tokenOf('staff@demo.test')
  await openAs(page, 'staff@demo.test')
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
  await expect
    .poll(async () => (await callApi(site.getPage, { slug: 'privacy' })).html)
    .toContain('<h2>Between us</h2>')
  await visitor.goto('/')
  await scrollToBottom(visitor)
  await visitor.goto('/terms')
  await visitor.getByRole('link', { name: 'Privacy' }).click()
  await expect(visitor.getByRole('heading', { name: 'Between us' })).toBeVisible()
  await expect(visitor.getByText(sentence)).toBeVisible()
  const { pages } = await callApi(sitePages.getPages, {}, staff)
  const now = pages.find(({ slug }) => slug === 'privacy')
  await callApi(
    sitePages.savePage,
    { slug: 'privacy', title: 'Privacy', markdown: before, version: now?.version ?? 0 },
    staff,
  )
})
