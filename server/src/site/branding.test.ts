import { readFileSync } from 'node:fs'
import path from 'node:path'
import { accentTokens, DARK_MODE, LIGHT_MODE } from '@dubplate/contract/contrast'
import { expect, test } from 'vitest'
import { projectRoot } from '../platform/project-root.ts'
import { applyBranding } from './branding.ts'

const TEST_BRANDING = { poolName: 'Night Shift', logo: null, accent: null, hidden: new Set<never>(), uploadDays: 90 }

test('the backgrounds are those of the styles, and every generated token exists there', () => {
  const css = readFileSync(path.join(projectRoot, 'web/src/styles/tokens.css'), 'utf8')
  const [, night = '', day = ''] = css.split('color-scheme:')
  const valueIn = (part: string, token: string) => new RegExp(`${token}: ([^;]+);`).exec(part)?.[1]
  const tokens = ['--bg', '--surface', '--surface-2', '--surface-3']
  expect(tokens.map((token) => valueIn(night, token))).toEqual(Object.values(DARK_MODE))
  expect([...new Set(tokens.map((token) => valueIn(day, token)))]).toEqual(Object.values(LIGHT_MODE))
  const own = accentTokens({ night: '#c8f135', day: '#476500' })
  const colour = /^(#[0-9a-f]{6}|rgb\(.+\))$/
  for (const token of Object.keys(own.night)) expect(valueIn(night, token), token).toMatch(colour)
  for (const token of Object.keys(own.day)) expect(valueIn(day, token), token).toMatch(colour)
  for (const token of ['--brand', '--accent', '--accent-ink']) expect(valueIn(night, token)).toBe(own.night[token])
  for (const token of ['--brand', '--accent-ink']) expect(valueIn(day, token)).toBe(own.day[token])
})

test('the built page has a placeholder for everything a pool customises', () => {
  const page = readFileSync(path.join(projectRoot, 'web/index.html'), 'utf8')
  const accent = { night: '#ffb454', day: '#7a4b00' }
  const built = page.replace('</noscript>', '</noscript><link rel="stylesheet" crossorigin href="/assets/index-x.css">')
  const rendered = applyBranding(built, { ...TEST_BRANDING, logo: 'ab'.repeat(32), accent })
  expect(rendered).toContain('<title>Night Shift</title>')
  expect(rendered).toContain('<i>Night Shift</i>')
  expect(rendered).toContain('<noscript>Turn on JavaScript to use Night Shift.</noscript>')
  expect(rendered).toContain(`<link rel="icon" href="/logo/${'ab'.repeat(32)}/64.png"`)
  expect(rendered).toContain(`<link rel="apple-touch-icon" href="/logo/${'ab'.repeat(32)}/180.png"`)
  expect(rendered).toMatch(/index-x\.css">\s*<link rel="stylesheet" id="theme" href="\/theme\.css\?v=[\w-]{12}">/)
  expect(rendered).not.toMatch(/dubplate(?![.:'])/i)
})

test('a pool without customisation has the page as it was built, with the values the code would request', () => {
  const rendered = applyBranding('<title>Dubplate</title><link rel="stylesheet" href="/x.css">', {
    ...TEST_BRANDING,
    poolName: 'Dubplate',
  })
  expect(rendered).not.toContain('theme.css')
  expect(JSON.parse(/<script type="application\/json" id="pool">(.*)<\/script>/.exec(rendered)?.[1] ?? '')).toEqual({
    name: 'Dubplate',
    logo: null,
    hidden: [],
    upload_days: 90,
    cloud_providers: [],
  })
})
