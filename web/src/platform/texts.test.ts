import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { rich } from '../format/message.ts'

const modules = import.meta.glob<Record<string, string>>('../**/texts.ts', { eager: true })
const messages = Object.entries(modules).flatMap(([file, texts]) =>
  Object.entries(texts).map(([name, message]) => ({ name: `${file} ${name}`, message })),
)
const plurals = messages.filter(({ message }) => message.includes(', plural,'))

/** The message with `n` for each value, and without its tags. */
function fill(message: string, n: number): string {
  const values = Object.fromEntries([...message.matchAll(/\{(\w+)/g)].map(([, name = '']) => [name, n]))
  const tags = Object.fromEntries([...message.matchAll(/<\/(\w+)>/g)].map(([, name = '']) => [name, identity]))
  return renderToStaticMarkup(rich(message as string, { ...values, ...tags } as Parameters<typeof rich>[1]))
}

const identity = (inside: unknown) => inside

test('every message is filled in completely, for none, one and two', () => {
  for (const { name, message } of messages)
    for (const n of [0, 1, 2]) expect(fill(message, n), name).not.toMatch(/[{}]|&lt;\/?\w+&gt;|, plural,/)
})

test('every plural has a form for other numbers', () => {
  for (const { name, message } of plurals) expect(message, name).toMatch(/\bother \{/)
})
