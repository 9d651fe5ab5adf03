import { expect, test } from 'vitest'
import { makeFolder, readFolderInput } from './folderFiles.ts'

test('returns a chosen folder’s name, its music in order, and the number of other files', () => {
  const file = (path: string) => {
    const made = new File(['x'], path.split('/').at(-1) ?? '')
    Object.defineProperty(made, 'webkitRelativePath', { value: path })
    return made
  }
  const folder = readFolderInput([
    file('Crate/10.mp3'),
    file('Crate/2.mp3'),
    file('Crate/notes.txt'),
    file('Crate/.x.mp3'),
  ])
  expect(folder?.name).toBe('Crate')
  expect(folder?.files.map(({ path }) => path)).toEqual(['2.mp3', '10.mp3'])
  expect(folder?.otherCount).toBe(2)
  expect(makeFolder('Files', []).files).toEqual([])
})

test('chooses the most likely cover picture for each folder with music', () => {
  const at = (path: string) => ({ path, file: new File(['x'], path.split('/').at(-1) ?? '') })
  const { covers, otherCount } = makeFolder('Crate', [
    ...[at('1.mp3'), at('Folder.JPG'), at('one/2.mp3'), at('one/front.png'), at('one/cover.webp')],
    ...[at('one/below/3.mp3'), at('scans/cover.jpg')],
  ])
  expect([...covers].map(([folder, { path }]) => [folder, path])).toEqual([
    ['', 'Folder.JPG'],
    ['one', 'one/cover.webp'],
  ])
  expect(otherCount).toBe(2)
})
