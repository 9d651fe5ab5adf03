import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { format, rich } from './message.ts'

test('fills in values by name', () => {
  expect(format('“{title}” added to {list}', { title: 'Low Ceiling', list: 'Friday' })).toBe(
    '“Low Ceiling” added to Friday',
  )
})

test('chooses the plural form and formats the number with separators', () => {
  const songs = '{count, plural, =0 {No songs} one {# song} other {# songs}} in {place}'
  expect([0, 1, 1200].map((count) => format(songs, { count, place: 'Crate' }))).toEqual([
    'No songs in Crate',
    '1 song in Crate',
    '1,200 songs in Crate',
  ])
})

test('fills in values inside a plural form', () => {
  const message = '{count, plural, one {# song added to “{title}”} other {# songs added to “{title}”}}'
  expect(format(message, { count: 2, title: 'Warm-up' })).toBe('2 songs added to “Warm-up”')
})

test('fills in two plurals, and tags inside a plural form', () => {
  const message =
    '{count, plural, one {<b>#</b> song} other {<b>#</b> songs}} added. {there, plural, one {# was} other {# were}} there.'
  const node = rich(message, { count: 2, there: 1, b: (inside) => createElement('b', null, inside) })
  expect(renderToStaticMarkup(node)).toBe('<b>2</b> songs added. 1 was there.')
})

test('leaves braces and tags in a value unchanged', () => {
  expect(format('“{title}” removed', { title: '{count} <b>x</b>' })).toBe('“{count} <b>x</b>” removed')
})

test('wraps the text of a tag in an element', () => {
  const node = rich('We sent a link to <b>{email}</b>. <link>Change it</link>', {
    email: 'dj@demo.test',
    b: (inside) => createElement('b', null, inside),
    link: (inside) => createElement('a', { href: '/account' }, inside),
  })
  expect(renderToStaticMarkup(node)).toBe('We sent a link to <b>dj@demo.test</b>. <a href="/account">Change it</a>')
})

test('requires each value of a message', () => {
  // @ts-expect-error: `title` is missing
  expect(format('“{title}” removed', {})).toBe('“” removed')
})
