import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DAY, NIGHT, tokensOf } from '@dubplate/contract/contrast'
import { expect, test } from 'vitest'
import { projectRoot } from '../platform/root.ts'
import { dressPage } from './looks.ts'

const LOOKS = { poolName: 'Night Shift', logo: null, accent: null, hidden: new Set<never>(), uploadDays: 90 }

test('the grounds are those of the styles, and every token there is one', () => {
  const css = readFileSync(path.join(projectRoot, 'web/src/styles/tokens.css'), 'utf8')
  const [, night = '', day = ''] = css.split('color-scheme:')
  const valueIn = (part: string, token: string) => new RegExp(`${token}: ([^;]+);`).exec(part)?.[1]
  const tokens = ['--bg', '--surface', '--surface-2', '--surface-3']
  expect(tokens.map((token) => valueIn(night, token))).toEqual(Object.values(NIGHT))
  expect([...new Set(tokens.map((token) => valueIn(day, token)))]).toEqual(Object.values(DAY))
  const own = tokensOf({ night: '#c8f135', day: '#476500' })
  const colour = /^(#[0-9a-f]{6}|rgb\(.+\))$/
  for (const token of Object.keys(own.night)) expect(valueIn(night, token), token).toMatch(colour)
  for (const token of Object.keys(own.day)) expect(valueIn(day, token), token).toMatch(colour)
  for (const token of ['--brand', '--accent', '--accent-ink']) expect(valueIn(night, token)).toBe(own.night[token])
  for (const token of ['--brand', '--accent-ink']) expect(valueIn(day, token)).toBe(own.day[token])
})

test('the built page has a place for everything that a pool customises', () => {
  const page = readFileSync(path.join(projectRoot, 'web/index.html'), 'utf8')
  const accent = { night: '#ffb454', day: '#7a4b00' }
  const built = page.replace('</noscript>', '</noscript><link rel="stylesheet" crossorigin href="/assets/index-x.css">')
  const dressed = dressPage(built, { ...LOOKS, logo: 'ab'.repeat(32), accent })
  expect(dressed).toContain('<title>Night Shift</title>')
  expect(dressed).toContain('<i>Night Shift</i>')
  expect(dressed).toContain('<noscript>Turn on JavaScript to use Night Shift.</noscript>')
  expect(dressed).toContain(`<link rel="icon" href="/logo/${'ab'.repeat(32)}/64.png"`)
  expect(dressed).toContain(`<link rel="apple-touch-icon" href="/logo/${'ab'.repeat(32)}/180.png"`)
  expect(dressed).toMatch(/index-x\.css">\s*<link rel="stylesheet" id="theme" href="\/theme\.css\?v=[\w-]{12}">/)
  expect(dressed).not.toMatch(/dubplate(?![.:'])/i)
})

test('a pool that has set nothing has the page as it was built, with what the code would ask for', () => {
  const dressed = dressPage('<title>Dubplate</title><link rel="stylesheet" href="/x.css">', {
    ...LOOKS,
    poolName: 'Dubplate',
  })
  expect(dressed).not.toContain('theme.css')
  expect(JSON.parse(/<script type="application\/json" id="pool">(.*)<\/script>/.exec(dressed)?.[1] ?? '')).toEqual({
    name: 'Dubplate',
    logo: null,
    hidden: [],
    upload_days: 90,
  })
})
