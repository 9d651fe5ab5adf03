import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The values of the placeholders, by name without braces. */
export type PlaceholderValues = Record<string, string>

const PLACEHOLDER = /\{\{([A-Z][A-Z0-9_]*)\}\}/g

/** The names of the placeholders (`{{NAME}}`) in a text, each once, in their order. */
export const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '')),
]

/**
 * Replaces the placeholders of a file of deploy/cluster. Throws an Error that names the file and every placeholder without
 * a value.
 */
export function fillPlaceholders(file: string, text: string, values: PlaceholderValues): string {
  const missing = placeholdersIn(text).filter((name) => values[name] === undefined)
  if (missing.length > 0)
    throw new Error(`deploy/cluster/${file} has placeholders without a value: ${missing.join(', ')}.`)
  return text.replace(PLACEHOLDER, (_, name: string) => values[name] ?? '')
}

/** Parses a file of `NAME=value` lines, such as web.env. Throws an Error for any other line that is no comment. */
export function parseEnvironment(file: string, text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
      if (name === undefined) throw new Error(`deploy/cluster/${file} has a line that is not NAME=value: ${line}`)
      return [name, value ?? '']
    }),
  )
}

/** The configuration files of a folder such as deploy/cluster, by name. The README is documentation. */
export function readDeployFiles(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name !== 'README.md')
  return new Map(names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
}
