import { expect, test } from 'vitest'
import { checkMarkdown, htmlOfMarkdown } from './markdown.ts'

test('shows the source text when rendering takes too long or needs more stack than a thread has', async () => {
  const levels = 5000
  const markdown = `${'> '.repeat(levels)}deep`
  expect(await htmlOfMarkdown(markdown)).toBe(`<p>${'&#62; '.repeat(levels)}deep</p>`)
  await expect(checkMarkdown(markdown, 'text')).rejects.toMatchObject({
    code: 'invalid_request',
    fields: { text: expect.any(String) },
  })
  // The thread that ran out of time was replaced.
  expect(await htmlOfMarkdown(`**bold** ${'word '.repeat(1000)}`)).toContain('<strong>bold</strong>')
})
