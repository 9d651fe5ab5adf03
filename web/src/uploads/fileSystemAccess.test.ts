import { expect, test, vi } from 'vitest'
import { pickFiles, readDroppedFiles } from './fileSystemAccess.ts'

const handleOf = (name: string, kind = 'file') =>
  ({ kind, name, getFile: async () => new File(['music'], name) }) as unknown as FileSystemFileHandle

const pickerThat = (answer: () => Promise<FileSystemFileHandle[]>) => {
  const showOpenFilePicker = vi.fn(answer)
  vi.stubGlobal('window', { showOpenFilePicker })
  return showOpenFilePicker
}

const rejecting = (name: string) => async () => {
  throw new DOMException('As browsers say it.', name)
}

test('picks several files of the accepted types, with their handles', async () => {
  const handle = handleOf('First.wav')
  const picker = pickerThat(async () => [handle])
  const [picked] = (await pickFiles('Audio files', ['wav', 'mp3'])) ?? []
  expect(picked).toMatchObject({ file: { name: 'First.wav' }, handle })
  expect(picker).toHaveBeenCalledWith({
    multiple: true,
    types: [{ description: 'Audio files', accept: { 'audio/*': ['.wav', '.mp3'] } }],
  })
})

test('returns no files when the picker is closed', async () => {
  pickerThat(rejecting('AbortError'))
  expect(await pickFiles('Audio files', ['wav'])).toEqual([])
})

test('leaves choosing to the file input when there is no picker, or the browser does not allow it', async () => {
  vi.stubGlobal('window', {})
  expect(await pickFiles('Audio files', ['wav'])).toBeUndefined()
  pickerThat(rejecting('SecurityError'))
  expect(await pickFiles('Audio files', ['wav'])).toBeUndefined()
})

type Item = { kind: string; getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }
const dropOf = (names: string[], items: Item[]) =>
  ({ files: names.map((name) => new File(['music'], name)), items }) as unknown as DataTransfer

const itemOf = (name: string, kind?: string): Item => ({
  kind: 'file',
  getAsFileSystemHandle: async () => handleOf(name, kind),
})

test('returns the handle of each dropped file', async () => {
  const dropped = await readDroppedFiles(
    dropOf(['A.wav', 'B.wav'], [{ kind: 'string' }, itemOf('A.wav'), itemOf('B.wav')]),
  )
  expect(dropped.map(({ file, handle }) => [file.name, handle?.name])).toEqual([
    ['A.wav', 'A.wav'],
    ['B.wav', 'B.wav'],
  ])
})

test('returns dropped files without handles in a browser that has none, or rejects one', async () => {
  const plain = dropOf(
    ['A.wav', 'B.wav'],
    [{ kind: 'file' }, { kind: 'file', getAsFileSystemHandle: rejecting('NotAllowedError') }],
  )
  expect((await readDroppedFiles(plain)).map(({ file, handle }) => [file.name, handle])).toEqual([
    ['A.wav', undefined],
    ['B.wav', undefined],
  ])
})

test('never pairs a file with the handle of a folder or of another file', async () => {
  const folder = await readDroppedFiles(dropOf(['Crate', 'B.wav'], [itemOf('Crate', 'directory'), itemOf('C.wav')]))
  expect(folder.map(({ handle }) => handle)).toEqual([undefined, undefined])
  const fewer = await readDroppedFiles(dropOf(['A.wav'], [itemOf('Crate', 'directory'), itemOf('A.wav')]))
  expect(fewer.map(({ handle }) => handle)).toEqual([undefined])
})
