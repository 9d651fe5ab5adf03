import { expect, test, vi } from 'vitest'

vi.stubGlobal('navigator', { onLine: true })
vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })

const { lastEdit, lastUndo } = await import('./songActions.ts')

const edit = (song_edit_id: number, more: object = {}) => ({
  ...{ song_edit_id, at: '', by: '', kind: 'edited' as const, fields: [], songs: 1, undone: 0, undoes: null },
  ...{ example: { entity_id: 1, title: '', artist: '' } },
  ...more,
})
const undo = (song_edit_id: number, of: number, more: object = {}) =>
  edit(song_edit_id, { kind: 'undone', undoes: { song_edit_id: of, kind: 'edited' }, ...more })

test('undoes one edit after another on Ctrl+Z, and redoes them in order on Ctrl+Shift+Z', () => {
  const two = [edit(2), edit(1)]
  expect(lastEdit(two)?.song_edit_id).toBe(2)
  const bothUndone = [undo(4, 1), undo(3, 2), edit(2, { undone: 1 }), edit(1, { undone: 1 })]
  expect(lastEdit(bothUndone)).toBeUndefined()
  expect(lastUndo(bothUndone)?.song_edit_id).toBe(4)
  const redone = [
    edit(5, { kind: 'undone', undoes: { song_edit_id: 4, kind: 'undone' } }),
    ...[undo(4, 1, { undone: 1 }), undo(3, 2), edit(2, { undone: 1 }), edit(1)],
  ]
  expect(lastUndo(redone)?.song_edit_id).toBe(3)
  expect(lastEdit(redone)?.song_edit_id).toBe(1)
})

test('cannot redo after another edit', () => {
  expect(lastUndo([edit(3), undo(2, 1), edit(1, { undone: 1 })])).toBeUndefined()
})

test('undoes an edit again when some of its songs were left out', () => {
  expect(lastEdit([edit(1, { songs: 3, undone: 2 })])?.song_edit_id).toBe(1)
})
