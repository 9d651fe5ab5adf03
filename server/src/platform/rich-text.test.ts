import { expect, test } from 'vitest'
import { cleanHtml, htmlOfText, textOf } from './rich-text.ts'

test('keeps what an editor produces', () => {
  const html =
    '<p>Two <b>bold</b> words, <a href="https://pool.example/a?b=c&amp;d">a link</a><br />and</p><ul><li>a list</li></ul>'
  expect(cleanHtml(html)).toBe(html)
})

test('removes what could run or load something and keeps the text', () => {
  expect(cleanHtml('<p onclick="x()">Hello<script>x()</script></p><img src=x onerror=x()>')).toBe('<p>Hello</p>')
  expect(
    cleanHtml('<a href="javascript:x()">a</a><a href="//evil.example">b</a><a href="data:text/html,x">c</a>'),
  ).toBe('<a>a</a><a>b</a><a>c</a>')
  expect(cleanHtml('<p style="background:url(https://evil.example)" class="x" id="root">words</p>')).toBe(
    '<p>words</p>',
  )
  expect(cleanHtml('<svg><a xlink:href="javascript:x()"><text>words</text></a></svg>')).toBe('<a>words</a>')
})

test('removes control characters, which a database does not accept', () => {
  expect(cleanHtml('<p>a\u0000b\u0008c</p>')).toBe('<p>abc</p>')
  expect(cleanHtml('\u0000<scr\u0000ipt>x()</scr\u0000ipt>')).toBe('')
})

test('allows links to the web, to email addresses and to pages of the site', () => {
  const links = '<a href="https://a.example">a</a><a href="mailto:b@c.example">b</a><a href="/charts">c</a>'
  expect(cleanHtml(links)).toBe(links)
})

test('returns the text of HTML with its line breaks', () => {
  expect(textOf('<p>One &amp; two<br>three</p><ul><li>four</li><li>five &lt;b&gt;</li></ul>')).toBe(
    'One & two\nthree\n• four\n• five <b>',
  )
  expect(textOf('<p>&nbsp;<br></p>')).toBe('')
  expect(textOf('&amp;lt;b&gt;')).toBe('&lt;b>')
})

test('converts plain text to paragraphs, with web addresses as links', () => {
  expect(htmlOfText('a <b> & c\nd\n\nsee https://e.example/f?g=1&h=2.')).toBe(
    '<p>a &lt;b&gt; &amp; c<br />d</p><p>see <a href="https://e.example/f?g=1&amp;h=2">https://e.example/f?g=1&amp;h=2</a>.</p>',
  )
})
