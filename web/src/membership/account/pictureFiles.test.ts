import { expect, test } from 'vitest'
import { pickPicture } from './pictureFiles.ts'

const file = (name: string, type = 'image/jpeg', size = 10) => ({ name, type, size }) as File

test('accepts one picture, and the first of two with a message', () => {
  expect(pickPicture([file('a.jpg')])).toEqual({ file: file('a.jpg') })
  expect(pickPicture([file('a.jpg'), file('b.jpg')])).toEqual({
    file: file('a.jpg'),
    note: 'Using the first file: a.jpg.',
  })
})

test('rejects more than two files, a file that is not a picture and a huge file with a message', () => {
  expect(pickPicture([file('a.jpg'), file('b.jpg'), file('c.jpg')])).toEqual({
    errorMessage: 'Choose at most 2 files.',
  })
  expect(pickPicture([file('mix.mp3', 'audio/mpeg')]).errorMessage).toBe(
    'mix.mp3 isn’t an image. Choose a JPEG, PNG or WebP file.',
  )
  expect(pickPicture([file('a.jpg', 'image/jpeg', 60 * 1024 * 1024)]).errorMessage).toMatch(/^a\.jpg is too large/)
})

test('accepts a picture whose type the browser does not report', () => {
  expect(pickPicture([file('a.heic', '')]).file?.name).toBe('a.heic')
})

test('says nothing when nothing was chosen', () => {
  expect(pickPicture([])).toEqual({})
})
