import { openings, site, sitePages } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
let admin: string
beforeAll(async () => {
  pool = await openTestPool()
  admin = (await aMember(pool.ctx, { group_id: 4, staff_role: 'admin' })).token
})
afterAll(() => pool.close())

const pages = async () => (await pool.ask(sitePages.getPages, {}, admin)).pages
const read = (slug: (typeof site.PAGES)[number]) => pool.ask(site.getPage, { slug })
const save = async (input: { slug: string; title?: string; markdown?: string; version: number }) =>
  (await pool.ask(sitePages.savePage, { title: 'Terms', markdown: '# Hello', ...input }, admin)).page

test('an unwritten page has its title and no text, and gives staff a template', async () => {
  expect(await read('privacy')).toEqual({ slug: 'privacy', title: 'Privacy', html: '', updated_at: null })
  const all = await pages()
  expect(all.map((page) => page.slug)).toEqual([...site.PAGES])
  for (const page of all) {
    expect(page).toMatchObject({ version: 0, updated_at: null, updated_by: '' })
    // What only the operator knows is in brackets, to be filled in.
    expect(page.markdown).toMatch(/\[[^\]]{4,}\]/)
    expect(page.markdown).not.toMatch(/\]\(/)
  }
})

test('renders Markdown as sanitised HTML', async () => {
  const markdown =
    '## Who we are\n\nA *pool*.\n\n<script>alert(1)</script><img src=x onerror=y>\n\n[x](javascript:y)\n\n| a | b |\n|---|---|\n| 1 | 2 |'
  const saved = await save({ slug: 'terms', title: 'Terms of use', markdown, version: 0 })
  expect(saved).toMatchObject({ version: 1, markdown, title: 'Terms of use', updated_at: expect.any(String) })
  const page = await read('terms')
  expect(page).toMatchObject({ title: 'Terms of use', updated_at: saved.updated_at })
  expect(page.html).toContain('<h2>Who we are</h2>')
  expect(page.html).toContain('<td>1</td>')
  expect(page.html).not.toMatch(/script|onerror|javascript|<img/)
})

test('the second of two simultaneous saves of a page gets a conflict', async () => {
  await save({ slug: 'contact', version: 0 })
  expect(await errorOf(save({ slug: 'contact', version: 0 }))).toMatchObject({
    code: 'conflict',
    status: 409,
  })
  const both = await Promise.allSettled([1, 1].map((version) => save({ slug: 'contact', version })))
  expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await pages()).find((page) => page.slug === 'contact')).toMatchObject({ version: 2 })
})

test('there are no other pages than those in the footer', async () => {
  expect(await errorOf(save({ slug: 'imprint', version: 0 }))).toMatchObject({ code: 'unknown_page', status: 404 })
  expect(await errorOf(read('imprint' as never))).toMatchObject({ code: 'invalid_request' })
})

test('a preview shows the rendered page', async () => {
  const markdown = '**Hello**\nyou <iframe src="//x"></iframe>'
  const { html } = await pool.ask(sitePages.previewMarkdown, { markdown }, admin)
  expect(html).toBe('<p><strong>Hello</strong>\nyou </p>')
})

const published = async () => (await pool.ask(site.getOpenings, {})).openings
const saveOpening = async (input: object = {}) =>
  (await pool.ask(openings.saveOpening, { title: 'Curator', markdown: 'You **listen**.', ...input } as never, admin))
    .opening

test('lists published openings in the order they were created', async () => {
  const first = await saveOpening({
    title: 'Curator, house',
    place: 'Berlin',
    hours: 'Weekends',
    apply_at: 'jobs@pool.example',
  })
  const second = await saveOpening({ title: 'Engineer', published: false })
  await saveOpening({ title: 'Support', apply_at: 'https://pool.example/jobs' })
  expect((await published()).map((one) => one.title)).toEqual(['Curator, house', 'Support'])
  expect((await published())[0]).toEqual({
    ...{ job_opening_id: first.job_opening_id, title: 'Curator, house', place: 'Berlin', hours: 'Weekends' },
    ...{ html: '<p>You <strong>listen</strong>.</p>', apply_at: 'jobs@pool.example' },
  })
  await saveOpening({ job_opening_id: second.job_opening_id, title: 'Engineer', published: true })
  expect((await published()).map((one) => one.title)).toEqual(['Curator, house', 'Engineer', 'Support'])
  expect((await pool.ask(openings.getOpenings, {}, admin)).openings).toHaveLength(3)
})

test('a deleted opening no longer exists, and cannot be saved again', async () => {
  const { job_opening_id } = await saveOpening({ title: 'Short-lived' })
  const remove = () => pool.ask(openings.removeOpening, { job_opening_id }, admin)
  await remove()
  expect((await published()).map((one) => one.title)).not.toContain('Short-lived')
  expect(await errorOf(remove())).toMatchObject({ code: 'unknown_opening', status: 404 })
  expect(await errorOf(saveOpening({ job_opening_id }))).toMatchObject({ code: 'unknown_opening' })
})

test('applications go to an email address or a web URL, nothing else', async () => {
  for (const apply_at of ['javascript:alert(1)', 'data:text/html,x', 'nobody', '//evil.example'])
    expect(await errorOf(saveOpening({ apply_at })), apply_at).toMatchObject({ code: 'invalid_request' })
})

test('records changes of pages and openings in the audit log, without their text', async () => {
  const { sql } = pool.ctx
  await sql`delete from audit`
  await save({ slug: 'careers', markdown: 'Secret words', version: 0 })
  const { job_opening_id } = await saveOpening({ title: 'Named after somebody' })
  await pool.ask(openings.removeOpening, { job_opening_id }, admin)
  const auditEntries = await sql`select action, subject, before, after from audit order by audit_id`
  expect(auditEntries.map(({ action, subject }) => [action, subject])).toEqual([
    ['page updated', 'page careers'],
    ['job opening created', `opening ${job_opening_id}`],
    ['job opening deleted', `opening ${job_opening_id}`],
  ])
  expect(JSON.stringify(auditEntries)).not.toMatch(/Secret|somebody/)
})

test('a page nested too deeply is not saved, and one saved earlier shows its text plainly', async () => {
  await pool.ctx.sql`delete from page where slug = 'privacy'`
  const markdown = `${'> '.repeat(100)}deep`
  expect(await errorOf(save({ slug: 'privacy', markdown, version: 0 }))).toMatchObject({
    status: 400,
    code: 'invalid_request',
  })
  expect((await pages()).find(({ slug }) => slug === 'privacy')?.version).toBe(0)
  await pool.ctx.sql`insert into page (slug, title, markdown) values ('privacy', 'Privacy', ${markdown})`
  expect((await read('privacy')).html).toBe(`<p>${'&#62; '.repeat(100)}deep</p>`)
})

test('a page that is too long is refused with the limit', async () => {
  const rejected = await errorOf(save({ slug: 'privacy', markdown: 'a'.repeat(100_001), version: 0 }))
  expect(rejected.message).toBe('Use at most 100,000 characters.')
})
