import { expect, test } from 'vitest'
import { cleanHtml, htmlOfText, textOf } from './rich-text.ts'

test('what an editor makes stays as it was written', () => {
  const html =
    '<p>Two <b>bold</b> words, <a href="https://pool.example/a?b=c&amp;d">a link</a><br />and</p><ul><li>a list</li></ul>'
  expect(cleanHtml(html)).toBe(html)
})

test('what could run or load something is taken out, its words stay', () => {
  expect(cleanHtml('<p onclick="x()">Hello<script>x()</script></p><img src=x onerror=x()>')).toBe('<p>Hello</p>')
  expect(
    cleanHtml('<a href="javascript:x()">a</a><a href="//evil.example">b</a><a href="data:text/html,x">c</a>'),
  ).toBe('<a>a</a><a>b</a><a>c</a>')
  expect(cleanHtml('<p style="background:url(https://evil.example)" class="x" id="root">words</p>')).toBe(
    '<p>words</p>',
  )
  expect(cleanHtml('<svg><a xlink:href="javascript:x()"><text>words</text></a></svg>')).toBe('<a>words</a>')
})

test('controls, which no database takes, are left out', () => {
  expect(cleanHtml('<p>a\u0000b\u0008c</p>')).toBe('<p>abc</p>')
  expect(cleanHtml('\u0000<scr\u0000ipt>x()</scr\u0000ipt>')).toBe('')
})

test('links lead to the web, to mail and to screens of ours', () => {
  const links = '<a href="https://a.example">a</a><a href="mailto:b@c.example">b</a><a href="/charts">c</a>'
  expect(cleanHtml(links)).toBe(links)
})

test('the words of HTML are told with its lines', () => {
  expect(textOf('<p>One &amp; two<br>three</p><ul><li>four</li><li>five &lt;b&gt;</li></ul>')).toBe(
    'One & two\nthree\n• four\n• five <b>',
  )
  expect(textOf('<p>&nbsp;<br></p>')).toBe('')
  expect(textOf('&amp;lt;b&gt;')).toBe('&lt;b>')
})

test('plain text becomes paragraphs, with the addresses of the web as links', () => {
  expect(htmlOfText('a <b> & c\nd\n\nsee https://e.example/f?g=1&h=2.')).toBe(
    '<p>a &lt;b&gt; &amp; c<br />d</p><p>see <a href="https://e.example/f?g=1&amp;h=2">https://e.example/f?g=1&amp;h=2</a>.</p>',
  )
})
