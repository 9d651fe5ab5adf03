import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { SystemAccount } from '../../server/src/platform/embedded-folders.ts'
import { program } from '../drill.ts'
import { fillPlaceholders, type PlaceholderValues, parseEnvironment, readDeployFiles } from './deploy-files.ts'

/** The folder of one program: its configuration and its data. */
export type ProgramHome = { folder: string; config: string; data: string }

/** Writes the files of deploy/cluster with the ports, folders and passwords of one run. */
export class ClusterFiles {
  readonly folder: string
  readonly #files = readDeployFiles(path.resolve(path.dirname(program('web')), '../../deploy/cluster'))
  readonly #values: PlaceholderValues

  constructor(folder: string, values: PlaceholderValues) {
    this.folder = folder
    this.#values = values
  }

  /** Creates the folders of a program, with these files of deploy/cluster, for the account that runs it. */
  create(
    name: string,
    files: string[],
    { values = {}, account = {} }: { values?: PlaceholderValues; account?: SystemAccount } = {},
  ): ProgramHome {
    const folder = path.join(this.folder, name)
    const home = { folder, config: path.join(folder, 'config'), data: path.join(folder, 'data') }
    for (const one of [home.folder, home.config, home.data]) {
      mkdirSync(one, { recursive: true, mode: 0o700 })
      giveTo(one, account)
    }
    for (const file of files) {
      const written = path.join(home.config, file)
      writeFileSync(written, this.#fill(file, { CONFIG: home.config, DATA: home.data, NAME: name, ...values }))
      chmodSync(written, file.endsWith('.sh') ? 0o700 : 0o600)
      giveTo(written, account)
    }
    return home
  }

  /** The settings of a process of Dubplate from a file such as web.env. */
  settings(file: string, values: PlaceholderValues): Record<string, string> {
    return parseEnvironment(file, this.#fill(file, values))
  }

  #fill(file: string, values: PlaceholderValues): string {
    const text = this.#files.get(file)
    if (text === undefined) throw new Error(`There is no file deploy/cluster/${file}.`)
    return fillPlaceholders(file, text, { ...this.#values, ...values })
  }
}

function giveTo(file: string, { uid, gid }: SystemAccount): void {
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid)
}

const execFileAsync = promisify(execFile)

/** Runs a program to its end and returns its output. Throws an Error with what it said if it fails. */
export async function runProgram(command: string, args: string[]): Promise<string> {
  const { stdout } = await execFileAsync(command, args, { timeout: 120_000 }).catch((error) => {
    throw new Error(`${path.basename(command)} failed: ${error.stderr || error.message}`)
  })
  return stdout
}
