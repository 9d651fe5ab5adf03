import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/**
 * The folders of web/src, each of which may import those before it. Folders of one line may import each other: the
 * lists of songs, the player and what is downloaded or collected are one screen for a member.
 */
const LAYERS = [
  ['format'],
  ['ui'],
  ['platform'],
  ['membership'],
  ['notices'],
  ['billing'],
  ['quality'],
  [
    'booth',
    'catalogue',
    'cloudDelivery',
    'digging',
    'downloads',
    'library',
    'ownLibrary',
    'player',
    'searches',
    'site',
  ],
  ['helpdesk'],
  ['admin'],
  ['beatGrids'],
  ['uploads'],
  ['staff'],
  ['routes'],
]

const source = path.join(import.meta.dirname, '..', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\./.test(file),
)

const folderOf = (file: string) => (file.includes(path.sep) ? file.split(path.sep)[0] : undefined)
const layerOf = (folder: string) => LAYERS.findIndex((layer) => layer.includes(folder))

/** The files that a file imports, also lazily. */
const importsOf = (file: string) =>
  [...readFileSync(path.join(source, file), 'utf8').matchAll(/(?:from |import ?\(?)'(\.[^']+)'/g)].map(
    ([, target = '']) => path.normalize(path.join(path.dirname(file), target)),
  )

test('folders only import folders of their own layer or of one below', () => {
  const mismatches: string[] = []
  for (const file of files) {
    const folder = folderOf(file)
    if (!folder) continue
    expect(layerOf(folder), `${folder} is in no layer: add it to the list above`).toBeGreaterThanOrEqual(0)
    for (const target of importsOf(file)) {
      const targetFolder = folderOf(target)
      // The routes use the list of lazy screens, which is in no folder.
      const isAbove = targetFolder ? layerOf(targetFolder) > layerOf(folder) : folder !== 'routes'
      if (isAbove && !target.startsWith('..')) mismatches.push(`${file} imports ${target}`)
    }
  }
  expect(mismatches).toEqual([])
})
