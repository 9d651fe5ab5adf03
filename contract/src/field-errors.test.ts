import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { describeIssue, labelOf } from './field-errors.ts'
import * as contract from './index.ts'

type Def = {
  type: string
  shape?: Record<string, Schema>
  innerType?: Schema
  element?: Schema
  in?: Schema
  valueType?: Schema
  options?: Schema[]
  left?: Schema
  right?: Schema
}
type Schema = { _zod: { def: Def } }

const INVALID_VALUES = [null, {}, [], '', 'x'.repeat(70_000), -1, 1.5, 1e300, true, [{}], [-1]]
const INVALID_NESTED_VALUES = [null, {}, 'x', -1.5]

/**
 * Generates values that are each invalid for the schema in one place: missing and wrong-typed fields, at every depth.
 */
function* invalidValues(schema: Schema, depth = 0): Generator<unknown> {
  if (depth > 8) return
  const { shape, innerType, element, in: from, valueType, options, left, right } = schema._zod.def
  if (shape) {
    yield {}
    for (const [name, field] of Object.entries(shape)) {
      for (const invalid of depth === 0 ? INVALID_VALUES : INVALID_NESTED_VALUES) yield { [name]: invalid }
      for (const invalid of invalidValues(field, depth + 1)) yield { [name]: invalid }
    }
    // The literal selects a member of the union, so that its own fields are parsed.
    const fixed = Object.entries(shape).flatMap(([name, field]) => {
      const { values } = field._zod.def as Def & { values?: unknown[] }
      return field._zod.def.type === 'literal' && values ? [[name, values[0]]] : []
    })
    if (fixed.length > 0) yield Object.fromEntries(fixed)
  }
  if (element) for (const invalid of [...INVALID_NESTED_VALUES, ...invalidValues(element, depth + 1)]) yield [invalid]
  if (valueType)
    for (const invalid of [...INVALID_NESTED_VALUES, ...invalidValues(valueType, depth + 1)]) yield { some: invalid }
  for (const inner of [innerType, from, left, right, ...(options ?? [])])
    if (inner) yield* invalidValues(inner, depth + 1)
}

const calls = Object.values(contract)
  .filter((module): module is never => typeof module === 'object' && module !== null)
  .flatMap((module) => Object.values(module as Record<string, unknown>))
  .filter(
    (item): item is contract.Endpoint =>
      typeof item === 'object' && item !== null && 'input' in item && 'reply' in item,
  )

const rawSentence = z.locales.en().localeError

/** Wording of the parser that is not meant for users. “Invalid Email” is the specification’s. */
const RAW =
  /^(Invalid (?!Email$)|Too (small|big)|Unrecognized|Expected)|\bexpected (string|number|int|array|object|boolean|record|one of)|received (undefined|null|string|number)|discriminator/i

test('no endpoint returns the parser’s own wording, for any missing or wrong-typed field', () => {
  expect(calls.length).toBeGreaterThan(250)
  const leaks = new Set<string>()
  let sentences = 0
  for (const { path, input } of calls) {
    const candidates = [undefined, null, 'text', 7, [], ...INVALID_VALUES, ...invalidValues(input as unknown as Schema)]
    for (const invalid of candidates) {
      const { error } = input.safeParse(invalid, { error: describeIssue })
      for (const { message, path: at } of error?.issues ?? []) {
        sentences++
        if (RAW.test(message) || message === '' || message.length > 400)
          leaks.add(`${path} ${at.join('.')}: ${message}`)
      }
    }
  }
  expect(sentences).toBeGreaterThan(10_000)
  expect([...leaks]).toEqual([])
})

test('control: without custom messages, the same fields return the parser’s wording', () => {
  const { error } = contract.account.saveDisplay.input.safeParse({ notation: 'x' }, { error: rawSentence })
  expect(error?.issues.map(({ message }) => RAW.test(message))).toEqual([true, true, true])
})

const shape = z.object({
  dj_name: z.string().check(z.minLength(1), z.maxLength(3)),
  page_count: z.number().check(z.gte(1), z.lte(5)),
  genre_ids: z.array(z.number()).check(z.minLength(1), z.maxLength(2)),
  scheme: z.enum(['dark', 'light']),
  by_email: z.boolean(),
  contact_email: z.email(),
})
const good = {
  dj_name: 'abc',
  page_count: 1,
  genre_ids: [1],
  scheme: 'dark',
  by_email: true,
  contact_email: 'a@b.example',
}

test.each([
  [{ dj_name: undefined }, 'DJ name is required.'],
  [{ dj_name: 5 }, 'DJ name must be text.'],
  [{ dj_name: '' }, 'DJ name cannot be blank.'],
  [{ dj_name: 'abcd' }, 'DJ name can have at most 3 characters.'],
  [{ page_count: '1' }, 'Page count must be a number.'],
  [{ page_count: 0 }, 'Page count must be 1 or more.'],
  [{ page_count: 6 }, 'Page count must be 5 or less.'],
  [{ genre_ids: {} }, 'Genres must be a list.'],
  [{ genre_ids: [] }, 'Genres: choose at least one.'],
  [{ genre_ids: [1, 2, 3] }, 'Genres: choose at most 2.'],
  [{ genre_ids: ['x'] }, 'Genres must be a number.'],
  [{ scheme: 'grey' }, 'Scheme must be one of these: dark, light.'],
  [{ scheme: null }, 'Scheme is required.'],
  [{ by_email: 'yes' }, 'Email notification must be true or false.'],
  [{ contact_email: 'x' }, 'Contact email must be an email address.'],
])('%j is rejected with “%s”', (change, errorText) => {
  const { error } = shape.safeParse({ ...good, ...change }, { error: describeIssue })
  expect(error?.issues.map(({ message }) => message)).toEqual([errorText])
})

test('keeps a message defined in the contract', () => {
  const { error } = contract.joining.signUp.input.safeParse({}, { error: describeIssue })
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'DJ Name cannot be blank!',
    'Email cannot be blank!',
    'Password cannot be blank!',
  ])
})

test('reports a body that is not an object', () => {
  const { error } = contract.joining.signUp.input.safeParse([], { error: describeIssue })
  expect(error?.issues[0]?.message).toBe('Send the request’s body as a JSON object.')
})

test('derives labels from field names', () => {
  expect(labelOf(['versions', 2, 'new_label'])).toBe('New label')
  expect(labelOf(['genre_ids', 0])).toBe('Genres')
  expect(labelOf(['startDate'])).toBe('Start date')
  expect(labelOf(['region_id'])).toBe('State')
  expect(labelOf([0])).toBe('This value')
})
