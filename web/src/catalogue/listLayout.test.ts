import { describe, expect, test, vi } from 'vitest'
import { makeVersion } from '../../test/samples.ts'
import type { ChosenColumns } from './listView.ts'

vi.stubGlobal('innerWidth', 1440)
vi.stubGlobal('addEventListener', () => undefined)
const { layoutFor, visibleVersions } = await import('./listLayout.ts')

const view = { chosen: {} as ChosenColumns, hiddenColumn: undefined, isCompact: false, hasHandle: false }
const titleWidth = (template: string) => Number.parseInt(template.split(' ')[2]!, 10)

describe('the columns of a list', () => {
  test('appear with its width: date from 960, genre from 1040, waveform from 1280 px', () => {
    const columnsAt = (width: number) => layoutFor(width, view).columns
    expect(columnsAt(896)).toEqual([])
    expect(columnsAt(960)).toEqual(['date'])
    expect(columnsAt(1040)).toEqual(['genre', 'date'])
    expect(columnsAt(1280)).toEqual(['wave', 'genre', 'date'])
  })

  test('leave at least 260 px for the title', () => {
    const chosen = { label: true, length: true, plays: true, genre: true }
    for (const width of [896, 960, 1040, 1200, 1280, 1376, 1600])
      expect(titleWidth(layoutFor(width, { ...view, chosen }).template)).toBeGreaterThanOrEqual(260)
  })

  test('are switched on and off, and leave out the genre on the page of a genre', () => {
    expect(layoutFor(1280, { ...view, chosen: { wave: false, label: true } }).columns).toEqual([
      'genre',
      'label',
      'date',
    ])
    expect(layoutFor(1280, { ...view, hiddenColumn: 'genre' }).columns).toEqual(['wave', 'date'])
  })

  test('are shown in a narrower list than usual when they are chosen there', () => {
    expect(layoutFor(896, { ...view, chosen: { genre: true } }).columns).toEqual(['genre'])
    expect(layoutFor(896, { ...view, chosen: { wave: true } }).columns).toEqual(['wave'])
    expect(layoutFor(1040, { ...view, chosen: { label: true } }).columns).toContain('label')
  })

  test('give way to the versions in a narrow list', () => {
    expect(layoutFor(700, { ...view, chosen: { label: true } }).columns).toEqual([])
    expect(layoutFor(639, view).versionsWidth).toBe(0)
  })
})

describe('the version chips of a row', () => {
  const labels = ['Original', 'Intro Clean', 'Clean', 'Quick Hit']
  const versions = labels.map((version_label) => makeVersion({ version_label }))
  const visible = (width: number, first: string[] = [], owned: string[] = []) =>
    visibleVersions(versions, width, {
      isOwned: ({ version_label }) => owned.includes(version_label),
      order: ({ version_label }) => {
        const at = first.indexOf(version_label)
        return at < 0 ? first.length : at
      },
    }).map(({ version_label }) => version_label)

  test('are all shown when they fit', () => {
    expect(visible(519)).toEqual(labels)
    expect(visible(300)).toEqual(['Original', 'Intro Clean'])
  })

  test('leave space for the mark of versions in the DJ library', () => {
    expect(visible(518, [], ['Clean'])).toHaveLength(3)
    expect(visible(519, [], ['Clean'])).toEqual(labels)
  })

  test('are chosen by the crate and preferences, but shown in the fixed order', () => {
    expect(visible(300, ['Quick Hit', 'Clean'])).toEqual(['Clean', 'Quick Hit'])
    expect(visible(300, ['Quick Hit'])).toEqual(['Original', 'Quick Hit'])
  })
})
