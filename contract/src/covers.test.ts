import { expect, test } from 'vitest'
import { mostLikelyCover } from './covers.ts'

test('finds the cover of a folder by file name, the most likely name first', () => {
  expect(mostLikelyCover(['Album.png', 'FOLDER.JPG', 'front.webp', 'track.mp3'])).toBe('FOLDER.JPG')
  expect(mostLikelyCover(['folder.jpg', 'cover.png', 'cover.jpeg'])).toBe('cover.jpeg')
  for (const other of ['back.jpg', 'my cover.jpg', 'cover.gif', 'cover.jpg.txt', '.cover.jpg', 'cover'])
    expect(mostLikelyCover([other]), other).toBeUndefined()
})
