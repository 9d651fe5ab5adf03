import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildFolder, projectRoot } from './project-root.ts'

export type Version = {
  /** Of package.json: `0.1.0`. */
  version: string
  /** The commit that was built, shortened, with `-dirty` if there were local changes; empty when it is not known. */
  commit: string
}

const readJson = (...file: string[]): Record<string, unknown> => JSON.parse(readFileSync(path.join(...file), 'utf8'))

/** What this process runs. Read once at its start: a later build changes the files, not the process. */
export const version: Version = {
  version: String(readJson(projectRoot, 'package.json').version),
  commit: buildFolder ? String(readJson(buildFolder, 'build.json').commit) : '',
}

/** `0.1.0+3f2a9c1b7d20`: semantic versioning's form of both. */
export const formatVersion = (of: Version = version): string => [of.version, of.commit].filter(Boolean).join('+')
