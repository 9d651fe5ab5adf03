import { expect, test } from 'vitest'
import { pickPicture } from './pictureFiles.ts'

const file = (name: string, type = 'image/jpeg', size = 10) => ({ name, type, size }) as File

test('one picture is taken, and of two the first, which is said', () => {
  expect(pickPicture([file('a.jpg')])).toEqual({ file: file('a.jpg') })
  expect(pickPicture([file('a.jpg'), file('b.jpg')])).toEqual({
    file: file('a.jpg'),
    note: 'Using the first file: a.jpg.',
  })
})

test('more than two files, something that is no picture and something huge are refused with a sentence', () => {
  expect(pickPicture([file('a.jpg'), file('b.jpg'), file('c.jpg')])).toEqual({ trouble: 'Choose at most 2 files.' })
  expect(pickPicture([file('mix.mp3', 'audio/mpeg')]).trouble).toBe(
    'mix.mp3 isn’t an image. Choose a JPEG, PNG or WebP file.',
  )
  expect(pickPicture([file('a.jpg', 'image/jpeg', 60 * 1024 * 1024)]).trouble).toMatch(/^a\.jpg is too large/)
})

test('a picture of a kind the browser does not name is tried', () => {
  expect(pickPicture([file('a.heic', '')]).file?.name).toBe('a.heic')
})

test('choosing nothing says nothing', () => {
  expect(pickPicture([])).toEqual({})
})
