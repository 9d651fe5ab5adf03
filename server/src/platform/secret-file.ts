import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { ConfigError } from './config-error.ts'

/**
 * The secret that signs links, created once and stored in the data folder. It is written to a temporary file and then
 * linked, so that two starts at once use the same secret. Throws ConfigError if the data folder cannot be written.
 */
export function readOrCreateSecret(dataDir: string): string {
  const secretFile = path.join(dataDir, 'secret')
  try {
    if (!existsSync(secretFile)) {
      mkdirSync(dataDir, { recursive: true })
      writeFileOnce(secretFile, randomBytes(32).toString('base64url'))
    }
    return readFileSync(secretFile, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`Invalid DATA_DIR="${dataDir}": ${(error as Error).message}.`)
  }
}

function writeFileOnce(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`
  const descriptor = openSync(temporary, 'w', 0o600)
  writeSync(descriptor, text)
  fsyncSync(descriptor)
  closeSync(descriptor)
  try {
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
}
