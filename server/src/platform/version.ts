import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buildFolder, projectRoot } from './project-root.ts'

export type Version = {
  /** From package.json: `0.1.0`. */
  version: string
  /** The shortened commit of the build, with `-dirty` if there were local changes; empty if unknown. */
  commit: string
}

const readJson = (...file: string[]): Record<string, unknown> => JSON.parse(readFileSync(path.join(...file), 'utf8'))

/** The version this process runs. Read once at its start: a later build changes the files, not the process. */
export const version: Version = {
  version: String(readJson(projectRoot, 'package.json').version),
  commit: buildFolder ? String(readJson(buildFolder, 'build.json').commit) : '',
}

/** `0.1.0+3f2a9c1b7d20`: as defined by semantic versioning. */
export const formatVersion = (of: Version = version): string => [of.version, of.commit].filter(Boolean).join('+')
