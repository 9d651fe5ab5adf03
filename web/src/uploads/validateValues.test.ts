import { uploadedSongs } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { emptyForm, inputOf, type Values } from './songForm.ts'
import { validateValues } from './validateValues.ts'

const VALID_VALUES: Values = {
  title: 'Levels',
  artist: 'Avicii',
  year: '2011',
  song_key: 'C#m',
  bpm: '126',
  genres: [1],
  expire_date: '2027-01-01',
}

/** The errors that the contract itself finds in the same values. */
function contractErrors(values: Values) {
  const { error } = uploadedSongs.songData.safeParse(inputOf({ ...emptyForm(''), values }).songData)
  const fieldErrors: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) fieldErrors[String(path[0])] ??= message
  return fieldErrors
}

const many = (n: number) => Array.from({ length: n }, (_, at) => at + 1)

const CANDIDATES: Partial<Values>[] = [
  {},
  { title: '', artist: ' ', year: '', song_key: '  ', bpm: '', genres: [] },
  { title: 'x'.repeat(300), artist: ` ${'x'.repeat(300)} ` },
  { title: 'x'.repeat(301), artist: 'x'.repeat(400) },
  ...['1899', '2199', '2200', '11', '20111', ' 2011 ', 'MMXI'].map((year) => ({ year })),
  ...['8A', '13A', 'Am', 'a minor', 'H', ' F#m '].map((song_key) => ({ song_key })),
  ...['98-124', '98 – 124', '19', '400', '401', '126,5', 'fast', '1-2-3'].map((bpm) => ({ bpm })),
  { genres: many(20) },
  { genres: many(21) },
]

test.each(CANDIDATES)('returns the contract’s errors for %j', (change) => {
  const values = { ...VALID_VALUES, ...change }
  expect(validateValues(values)).toEqual(contractErrors(values))
})

test('uses the words of the specification for a blank form', () => {
  expect(
    validateValues({ ...VALID_VALUES, title: '', artist: '', year: '', song_key: '', bpm: '', genres: [] }),
  ).toEqual({
    title: 'Song title cannot be blank!',
    artist: 'Artist cannot be blank!',
    year: 'Year cannot be blank!',
    song_key: 'Song Key cannot be blank!',
    bpm: 'BPM cannot be blank!',
    genres: 'Please select genre!',
  })
})
