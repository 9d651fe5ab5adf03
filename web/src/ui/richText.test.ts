import { expect, test } from 'vitest'
import { hasText, htmlOfText, normaliseLinkUrl, trimTrailingBlanks } from './richText.ts'

test('treats tags, spaces and caret placeholders as no text', () => {
  for (const html of ['', '<p><br></p>', '<ul><li>&nbsp;</li></ul>', '<p> \u200b\u00a0</p>'])
    expect(hasText(html)).toBe(false)
  for (const html of ['<p>1</p>', 'a', '<blockquote>…</blockquote>', '<p>&lt;</p>']) expect(hasText(html)).toBe(true)
})

test('converts plain text to paragraphs and lines, and escapes its characters', () => {
  expect(htmlOfText('Hello\nthere\n\nA & <b>')).toBe('<p>Hello<br>there</p><p>A &amp; &lt;b&gt;</p>')
  expect(htmlOfText(' \n ')).toBe('')
})

test('removes empty lines at the end of a text', () => {
  expect(trimTrailingBlanks('<p>Hello</p><p><br></p><p> </p>')).toBe('<p>Hello</p>')
  expect(trimTrailingBlanks('<ul><li>Hello</li></ul><p>there</p><div><br></div>')).toBe(
    '<ul><li>Hello</li></ul><p>there</p>',
  )
  expect(trimTrailingBlanks('<p><br></p><p>Hello</p>')).toBe('<p><br></p><p>Hello</p>')
  expect(trimTrailingBlanks('<ul><li><br></li></ul>')).toBe('')
})

test('accepts links to websites, email addresses and screens of the app, also in short form', () => {
  expect(normaliseLinkUrl(' https://demo.test/a?b=1 ')).toBe('https://demo.test/a?b=1')
  expect(normaliseLinkUrl('soundcloud.com/mara')).toBe('https://soundcloud.com/mara')
  expect(normaliseLinkUrl('müller.de')).toBe('https://müller.de')
  expect(normaliseLinkUrl('mara@demo.test')).toBe('mailto:mara@demo.test')
  expect(normaliseLinkUrl('/song/12')).toBe('/song/12')
})

test('rejects links that run code or lead nowhere', () => {
  for (const typed of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//demo.test',
    '/\\demo.test',
    'hello',
    'two words.com',
    '',
  ])
    expect(normaliseLinkUrl(typed)).toBeUndefined()
})
