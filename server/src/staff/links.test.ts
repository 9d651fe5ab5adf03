import { expect, test } from 'vitest'
import { toSafeLink } from './links.ts'

test.each([
  ['https://soundcloud.com/kwame', 'https://soundcloud.com/kwame'],
  ['instagram.com/kwame', 'https://instagram.com/kwame'],
  [' www.mixcloud.com/kwame/ ', 'https://www.mixcloud.com/kwame/'],
  ['http://kwame.example:8080/mixes', 'http://kwame.example:8080/mixes'],
  ['kwame.example:8080/mixes', 'https://kwame.example:8080/mixes'],
])('%s can be opened', (toFields, link) => {
  expect(toSafeLink(toFields)).toBe(link)
})

test.each([
  ['@kwame'],
  ['kwame'],
  [''],
  ['find me on instagram.com'],
  ['javascript:alert(1)'],
  ['JavaScript://instagram.com/%0aalert(1)'],
  ['data:text/html,<script>alert(1)</script>'],
  ['file:///etc/passwd'],
  ['https://instagram.com@evil.example/'],
  ['instagram.com@evil.example'],
  [`example.com/${'a'.repeat(600)}`],
])('%s is not a link', (toFields) => {
  expect(toSafeLink(toFields)).toBeNull()
})
