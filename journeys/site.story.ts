import { announcements, site, sitePages } from '@dubplate/contract'
import { getMailsTo } from './mail-server.ts'
import { type Account, createMember, openInOtherBrowser } from './members.ts'
import { callApi, expect, getToken, openOtherBrowser, scrollThroughPage, signInAs, test } from './support.ts'

test('publishes an announcement with a preview for its audience, and keeps it dismissed', async ({ page, browser }) => {
  const words = `Doors open at ten ${crypto.randomUUID().slice(0, 6)}`
  const member = await createMember('DJ Door')
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/announcements')
  await page.getByRole('button', { name: 'New announcement' }).click()
  const form = page.getByRole('form', { name: 'New announcement' })
  await form.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(form.getByText('Enter the announcement text.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Announcement' }).fill(words)
  await expect(form.getByRole('note').getByText(words)).toBeVisible()
  await form.getByRole('combobox', { name: 'Page' }).click()
  await page.getByRole('option', { name: 'Charts' }).click()
  await form.getByRole('combobox', { name: 'Audience' }).click()
  await page.getByRole('option', { name: 'Members without a paid plan' }).click()
  // The draft is still there after a reload.
  await page.reload()
  await expect(form.getByRole('textbox', { name: 'Announcement' })).toHaveText(words)
  await form.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Announcements' }).getByText(words)).toBeVisible()

  const visitor = await openOtherBrowser(browser)
  await visitor.goto('/charts')
  await expect(visitor.getByRole('heading', { name: 'Daily chart', level: 1 })).toBeVisible()
  const memberPage = await openInOtherBrowser(browser, member, '/charts')
  await expect(memberPage.getByText(words)).toBeVisible()
  await expect(visitor.getByText(words)).toHaveCount(0)
  await memberPage.getByRole('button', { name: 'Dismiss announcement' }).click()
  await expect(memberPage.getByText(words)).toBeHidden()
  const otherPage = await openInOtherBrowser(browser, member, '/charts')
  await expect(otherPage.getByRole('heading', { name: 'Daily chart', level: 1 })).toBeVisible()
  await expect.poll(async () => (await getAnnouncementsOf(member)).includes(words)).toBe(false)
  await expect(otherPage.getByText(words)).toHaveCount(0)

  const { announcements: current } = await callApi(
    announcements.getAnnouncements,
    {},
    await getToken('staff@demo.test'),
  )
  const announcement = current.find(({ message }) => message.includes(words))
  await callApi(
    announcements.endAnnouncement,
    { message_id: announcement?.message_id ?? 0 },
    await getToken('staff@demo.test'),
  )
})

const getAnnouncementsOf = async ({ token }: Account) =>
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
  await expect(page.getByText('Check your email.')).toBeVisible()
  await page.goto(await waitForLink(email, 'confirm'))
  await expect(page.getByRole('heading', { name: 'You’re subscribed', exact: true })).toBeVisible()
  await page.goto(await waitForLink(email, 'leave'))
  await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
  await page.getByRole('button', { name: 'Resubscribe' }).click()
  await expect(page.getByRole('heading', { name: 'You’re subscribed again' })).toBeVisible()
})

/** Waits for an email of the newsletter with such a link, and returns its path. */
async function waitForLink(email: string, kind: 'confirm' | 'leave'): Promise<string> {
  const link = new RegExp(`/newsletter/${kind}/\\S+`)
  const find = async () => link.exec((await getMailsTo(email)).map(({ text }) => text).join('\n'))?.[0]
  await expect.poll(find).toMatch(link)
  return (await find()) ?? ''
}

test('staff edit a page in Markdown, and visitors read it', { tag: '@smoke' }, async ({ page, browser }) => {
  const sentence = `No debts between us ${crypto.randomUUID().slice(0, 6)}`
  const staff = await getToken('staff@demo.test')
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/pages')
  await page.getByRole('button', { name: /^Privacy/ }).click()
  // The form of the first page is shown before.
  const form = page.getByRole('form', { name: 'Privacy', exact: true })
  const text = form.getByRole('textbox', { name: 'Text' })
  await expect(text).not.toHaveValue('')
  const before = await text.inputValue()
  await text.fill(`## Between us\n\n${sentence}\n\n${before}`)
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  const visitor = await openOtherBrowser(browser)
  await expect
    .poll(async () => (await callApi(site.getPage, { slug: 'privacy' })).html)
    .toContain('<h2>Between us</h2>')
  await visitor.goto('/')
  await scrollThroughPage(visitor)
  await visitor.goto('/terms')
  // Until its text has loaded, the link in the footer moves down as it is pressed.
  await expect(visitor.getByRole('heading', { name: 'Who can join' })).toBeVisible()
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
