import { expect, test } from 'vitest'
import { applicationLink } from './applicationLink.ts'

test('applies by email with the opening as the subject', () => {
  expect(applicationLink('jobs+dj@pool.example', 'Curator & DJ, 50 %')).toEqual({
    by: 'mail',
    href: 'mailto:jobs%2Bdj@pool.example?subject=Curator%20%26%20DJ%2C%2050%20%25',
    label: 'Apply for Curator & DJ, 50 % by email to jobs+dj@pool.example',
    tooltip: 'By email to jobs+dj@pool.example',
  })
})

test('applies on another site, which is named', () => {
  expect(applicationLink('https://jobs.example/curator?id=7', 'Curator')).toEqual({
    by: 'web',
    href: 'https://jobs.example/curator?id=7',
    label: 'Apply for Curator at jobs.example (opens in a new tab)',
    tooltip: 'At jobs.example (opens in a new tab)',
  })
})

test('uses the pool’s contact when there is no link', () => {
  expect(applicationLink('', 'Curator')).toEqual({ by: 'contact' })
})

test('rejects a URL with any other scheme', () => {
  expect(applicationLink('javascript:alert(1)', 'Curator')).toMatchObject({
    by: 'mail',
    href: expect.stringMatching(/^mailto:/),
  })
})
