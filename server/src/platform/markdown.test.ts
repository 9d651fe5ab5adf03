import { expect, test } from 'vitest'
import { checkMarkdown, htmlOfMarkdown } from './markdown.ts'
import { memoizeAsync } from './memoize.ts'

test('renders headings, lists and tables, and sanitises HTML', async () => {
  expect(await htmlOfMarkdown('## Terms\n\n- one\n\n[x](javascript:alert(1))<img src=x onerror=alert(1)>')).toBe(
    '<h2>Terms</h2>\n<ul>\n<li>one</li>\n</ul>\n<p><a>x</a></p>',
  )
})

test.each([
  ['on this thread', 1000],
  ['on another thread', 2001],
])('shows the source of a text nested deeper than the stack allows, and refuses to save it: %s', async (_where, n) => {
  const markdown = `${'> '.repeat(n)}<b>deep\n\nend`
  expect(await htmlOfMarkdown(markdown)).toBe(`<p>${'&#62; '.repeat(n)}&#60;b&#62;deep</p><p>end</p>`)
  await expect(checkMarkdown(markdown, 'markdown')).rejects.toMatchObject({ code: 'invalid_request' })
})

test('renders a long text on another thread, without blocking this one', async () => {
  let turns = 0
  const count = setInterval(() => turns++, 1)
  const html = await htmlOfMarkdown('- one *two*\n'.repeat(1000))
  clearInterval(count)
  expect(html.match(/<li>one <em>two<\/em><\/li>/g)).toHaveLength(1000)
  expect(turns).toBeGreaterThan(0)
})

const nested = (depth: number) =>
  Array.from({ length: depth }, (_, n) => `${'  '.repeat(n)}- level ${n + 1}`).join('\n')

test('allows quotes and lists 10 levels deep, and the error message names the limit', async () => {
  await checkMarkdown(`${nested(10)}\n\n${'> '.repeat(10)}quote`, 'markdown')
  for (const markdown of [nested(11), `${'> '.repeat(11)}quote`, `> ${nested(10).replaceAll('\n', '\n> ')}`]) {
    const sentence = 'Quotes and lists can be nested up to 10 levels deep; this text has 11.'
    await expect(checkMarkdown(markdown, 'markdown')).rejects.toMatchObject({
      message: sentence,
      fields: { markdown: sentence },
    })
  }
})

test('renders concurrently requested texts once, and retries a failed one', async () => {
  const cached: string[] = []
  const fail = { next: false }
  const upper = memoizeAsync(async (text) => {
    cached.push(text)
    if (fail.next) throw new Error('no')
    return text.toUpperCase()
  }, 2)
  expect(await Promise.all([upper('a'), upper('a')])).toEqual(['A', 'A'])
  fail.next = true
  await expect(upper('b')).rejects.toThrow('no')
  fail.next = false
  expect(await upper('b')).toBe('B')
  expect(cached).toEqual(['a', 'b', 'b'])
})
