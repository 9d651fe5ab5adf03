import { expect, test } from 'vitest'
import { mostLikelyCover } from './covers.ts'

test('the cover of a folder is found by its name, the likeliest first', () => {
  expect(mostLikelyCover(['Album.png', 'FOLDER.JPG', 'front.webp', 'track.mp3'])).toBe('FOLDER.JPG')
  expect(mostLikelyCover(['folder.jpg', 'cover.png', 'cover.jpeg'])).toBe('cover.jpeg')
  for (const other of ['back.jpg', 'my cover.jpg', 'cover.gif', 'cover.jpg.txt', '.cover.jpg', 'cover'])
    expect(mostLikelyCover([other]), other).toBeUndefined()
})
