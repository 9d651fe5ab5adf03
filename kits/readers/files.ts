import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Comparisons } from '../comparisons.ts'
import { type Kit, relativePath } from '../expected.ts'
import { run } from '../make-audio.ts'
import { KIT_KINDS } from '../pool.ts'
import { readCrate } from './serato.ts'

const formOf = ({ profile }: Kit) => (profile.form === 'nfd' ? 'NFD' : 'NFC')

/** Compares the names of the files in all kits with each other, and with what file systems allow. */
export function compareFiles(kit: Kit, { same }: Comparisons): void {
  same('different paths', new Set(kit.paths.map((each) => each.normalize('NFC').toLowerCase())).size, kit.songs.length)
  for (const kind of KIT_KINDS) {
    const music = [...kit.files[kind].keys()].filter((name) => /\.(mp3|flac)$/.test(name))
    same(`${kind} names`, music.join('\n'), kit.paths.map((each) => relativePath(kit, each)).join('\n'))
  }
  for (const file of kit.paths) {
    const name = relativePath(kit, file)
    same(`${name} exists`, existsSync(file), true)
    same(`${name} form`, name.normalize(formOf(kit)), name)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    same(`${name} characters`, /[<>:"\\|?*\u0000-\u001f]|%%/.test(name), false)
    // Mixxx reads beats and cues from the tags that Serato reads.
    same(`${name} for Mixxx`, kit.files.mixxx.get(name)?.equals(kit.files.serato.get(name)!), true)
    same(`${name} size`, statSync(file).size, kit.files.serato.get(name)!.length)
  }
}

/** Checks that the XML files are well-formed. */
export function compareWellFormed({ home, files }: Kit, { same }: Comparisons): void {
  for (const kind of ['rekordbox', 'traktor', 'traktor4', 'virtualdj'] as const) {
    const names = [...files[kind].keys()].filter((name) => /\.(xml|nml|vdjfolder)$/.test(name))
    same(`${kind} library files`, names.length, 1)
    for (const name of names) same(name, printed('xmllint', ['--noout', path.join(home, kind, name)]), '')
  }
}

/** Compares Traktor's collection with the schema of traktor-nml-utils, which is that of Traktor 3. */
export const compareSchema = ({ home }: Kit, schema: string, { same }: Comparisons): void =>
  same('collection', printed('xmllint', ['--noout', '--schema', schema, path.join(home, 'collection.nml')]), '')

/** What a program that must not complain printed, or how it failed. */
function printed(program: string, args: readonly string[]): string {
  try {
    return run(program, args)
  } catch (error) {
    return String(error)
  }
}

/** Compares Serato's crate, whose name is that of the playlist, and is not that of a crate in another. */
export function compareCrate(kit: Kit, { same }: Comparisons): void {
  const [name = '', ...others] = [...kit.files.serato.keys()].filter((each) => each.startsWith('_Serato_/'))
  same('crates', others.length, 0)
  same('name', name, "_Serato_/Subcrates/Crate & ('Ä🔥') % #.crate".normalize(formOf(kit)))
  const { version, paths } = readCrate(kit.files.serato.get(name)!)
  same('version', version, '1.0/Serato ScratchLive Crate')
  same('number of paths', paths.length, kit.paths.length)
  for (const [n, file] of kit.paths.entries()) same(`song ${kit.songs[n]!.number}`, `/${paths[n]}`, file)
}
