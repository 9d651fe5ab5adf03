import { afterEach, expect, test, vi } from 'vitest'
import { createClosing } from './close-at-exit.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('closes what is open, the last opened first, and each once', async () => {
  const { closeAtExit, closeAll } = createClosing()
  const closed: string[] = []
  const open = (name: string) =>
    closeAtExit(async () => {
      closed.push(name)
    })
  open('database')
  const closeServer = open('server')
  open('browser')
  await Promise.all([closeServer(), closeServer()])
  await Promise.all([closeAll(), closeAll()])
  expect(closed).toEqual(['server', 'browser', 'database'])
})

test('closes the others if one of them cannot be closed, and says so', async () => {
  const report = vi.spyOn(console, 'error').mockReturnValue()
  const { closeAtExit, closeAll } = createClosing()
  const closeDatabase = vi.fn(async () => {})
  const error = new Error('It does not respond.')
  closeAtExit(closeDatabase)
  closeAtExit(() => Promise.reject(error))
  await closeAll()
  expect(closeDatabase).toHaveBeenCalledOnce()
  expect(report).toHaveBeenCalledExactlyOnceWith('Could not be closed:', error)
})
