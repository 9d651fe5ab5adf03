import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { openTestPool } from '../server/test/pool.ts'
import { type Comparisons, createComparisons } from './comparisons.ts'
import type { Kit } from './expected.ts'
import { writeAudioFiles } from './make-audio.ts'
import { makeKit } from './make-kit.ts'
import { fillPool, KIT_KINDS, type KitProfile } from './pool.ts'
import { compareCrate, compareFiles, compareSchema, compareWellFormed } from './readers/files.ts'
import { comparePlaylists, compareVirtualDj } from './readers/lists.ts'
import { compareMixxxLibrary, compareMixxxSerato, compareMixxxTraktor, readWithMixxx } from './readers/mixxx.ts'
import { compareRekordbox, readWithFastXmlParser, readWithPyrekordbox } from './readers/rekordbox.ts'
import { readSeratoTags, readWithSeratoTags } from './readers/serato.ts'
import { compareSerato, compareTexts, readWithMutagen } from './readers/tags.ts'
import { compareTraktor } from './readers/traktor.ts'
import { makeSongs } from './songs.ts'

/** Kits of the product, as readers of other projects see them. The reporter prints a line for each test. */

const SONGS = Number(process.env.KIT_SONGS ?? 200)

const PROFILES: readonly KitProfile[] = [
  { form: 'nfc', key_notation: 'musical', folder_template: 'Dubplate/{genre}' },
  // Without folders, so that a playlist has paths that begin with '#'.
  { form: 'nfd', key_notation: 'camelot', folder_template: '' },
]

const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-kits-'))
const kits: Kit[] = []

beforeAll(async () => {
  const inbox = path.join(folder, 'inbox')
  mkdirSync(inbox)
  console.log(`Encoding ${SONGS} songs…`)
  const songs = makeSongs(SONGS)
  writeAudioFiles(inbox, songs)
  console.log(`Importing ${SONGS} files…`)
  const pool = await openTestPool({ usesUniqueAddresses: true, settings: { downloadLimit: KIT_KINDS.length } })
  try {
    const ids = await fillPool(pool, inbox, songs)
    for (const profile of PROFILES) {
      console.log(`Downloading kits (${profile.form.toUpperCase()})…`)
      const home = path.join(folder, `d'j & co ${profile.form}`)
      kits.push(await makeKit(pool, { songs, ids }, { profile, home }))
    }
  } finally {
    await pool.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A test that compares what a reader finds in the kits of both profiles. */
function check(reader: string, compare: (kit: Kit, comparisons: Comparisons) => void): void {
  test(reader, ({ task }) => {
    const comparisons = createComparisons()
    const { differences, count } = comparisons
    for (const kit of kits) {
      try {
        compare(kit, comparisons)
      } catch (error) {
        differences.push(`failed: ${(error as Error).message}`)
      }
    }
    Object.assign(task.meta, { comparisons: count(), differences })
    if (differences.length > 0) throw new Error(`${differences.length} differences`)
  })
}

/** A check with a source that is not part of this repository, whose path is in an environment variable. */
function checkWithSource(
  reader: string,
  variable: string,
  compare: (kit: Kit, source: string, comparisons: Comparisons) => void,
) {
  const source = process.env[variable]
  if (source) check(reader, (kit, comparisons) => compare(kit, source, comparisons))
  else test(reader, ({ skip }) => skip(`${variable} is not set`))
}

/** Reads each kit once, for several checks. What has failed is not tried again. */
function readOnce<T>(read: (kit: Kit) => T): (kit: Kit) => T {
  const results = new Map<Kit, { value: T } | { error: unknown }>()
  const attempt = (kit: Kit) => {
    try {
      return { value: read(kit) }
    } catch (error) {
      return { error }
    }
  }
  return (kit) => {
    const result = results.get(kit) ?? attempt(kit)
    results.set(kit, result)
    if ('error' in result) throw result.error
    return result.value
  }
}

describe('files and lists', () => {
  check('file names', compareFiles)
  check('xmllint: well-formed XML', compareWellFormed)
  check('playlists by a reader of M3U', comparePlaylists)
  check('VirtualDJ list by fast-xml-parser', compareVirtualDj)
})

describe('rekordbox', () => {
  check('rekordbox XML by fast-xml-parser', (kit, comparisons) =>
    compareRekordbox(kit, readWithFastXmlParser(kit), comparisons),
  )
  checkWithSource('rekordbox XML by pyrekordbox', 'PYREKORDBOX', (kit, source, comparisons) =>
    compareRekordbox(kit, readWithPyrekordbox(kit, source), comparisons),
  )
})

describe('Traktor', () => {
  check('Traktor 3 collection by fast-xml-parser', (kit, comparisons) => compareTraktor(kit, 'traktor', comparisons))
  check('Traktor 4 collection by fast-xml-parser', (kit, comparisons) => compareTraktor(kit, 'traktor4', comparisons))
  checkWithSource('Traktor 3 collection by the schema of traktor-nml-utils', 'NML_SCHEMA', compareSchema)
})

describe('Serato', () => {
  const tagsOf = readOnce(readWithMutagen)
  const objectsOf = (kit: Kit) => tagsOf(kit).map(({ objects }) => objects)
  check('crate by a reader of its fields', compareCrate)
  check('texts and objects in files by mutagen', (kit, comparisons) => compareTexts(kit, tagsOf(kit), comparisons))
  check('Serato tags by a reader of their bytes', (kit, comparisons) =>
    compareSerato(kit, objectsOf(kit).map(readSeratoTags), comparisons),
  )
  checkWithSource('Serato tags by serato-tags', 'SERATO_TAGS', (kit, source, comparisons) =>
    compareSerato(kit, readWithSeratoTags(source, objectsOf(kit)), comparisons),
  )
})

describe('Mixxx', () => {
  const databaseOf = readOnce(readWithMixxx)
  check('files with Serato tags by Mixxx', (kit, comparisons) => compareMixxxLibrary(kit, databaseOf(kit), comparisons))
  check('Traktor 3 collection by Mixxx', (kit, comparisons) => compareMixxxTraktor(kit, databaseOf(kit), comparisons))
  check('Serato crate by Mixxx', (kit, comparisons) => compareMixxxSerato(kit, databaseOf(kit), comparisons))
})
