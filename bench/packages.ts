import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** A Debian package, and the folder it installs its files in. */
export type DebianPackage = { name: string; folder: string }

export const run = (program: string, args: string[], cwd?: string) =>
  spawnSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 })

/**
 * The folder of a package's files: where it is installed, otherwise below `scratch`, into which apt unpacks it.
 * Undefined when apt cannot download it.
 */
export function findPackageFolder({ name, folder }: DebianPackage, scratch: string): string | undefined {
  const installed = path.join('/', folder)
  if (existsSync(installed)) return installed
  const root = path.join(scratch, name)
  mkdirSync(root, { recursive: true })
  if (run('apt-get', ['download', name], root).status !== 0) return undefined
  const file = readdirSync(root).find((entry) => entry.endsWith('.deb'))
  if (!file || run('dpkg', ['-x', file, '.'], root).status !== 0) return undefined
  return path.join(root, folder)
}

/** Decodes a file with ffmpeg: mono at 44.1 kHz. Undefined when ffmpeg is not installed or cannot read it. */
export function readPcm(file: string): Float32Array | undefined {
  const rawFormat = ['-f', 'f32le', '-ac', '1', '-ar', '44100', '-']
  const { status, stdout } = run('ffmpeg', ['-v', 'error', '-nostdin', '-i', file, ...rawFormat])
  return status === 0 && stdout?.length ? new Float32Array(new Uint8Array(stdout).buffer) : undefined
}
