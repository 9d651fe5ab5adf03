import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const CLANG_VERSION = '16.0.6'
const TOOLS = ['clang-16', 'wasm-ld-16']
const WASI_HEADERS = '/usr/include/wasm32-wasi'
/** The unpacked sources of LAME 3.100: see README.md. */
const lameSource = process.env.LAME_SOURCE
/** The unpacked sources of FAAD2 2.11.2. */
const faadSource = process.env.FAAD_SOURCE

const versionOf = (tool: string): string => spawnSync(tool, ['--version'], { encoding: 'utf8' }).stdout ?? ''

/** Why the modules cannot be built here; undefined if they can. */
function missingTool(): string | undefined {
  const missing = TOOLS.find((tool) => !versionOf(tool).includes(CLANG_VERSION))
  if (missing) return `${missing} ${CLANG_VERSION} is not installed`
  return existsSync(WASI_HEADERS) ? undefined : 'wasi-libc is not installed'
}

function missingLame(): string | undefined {
  if (!versionOf('patch')) return 'patch is not installed'
  if (!lameSource) return 'LAME_SOURCE does not name the folder of the LAME 3.100 sources'
  return existsSync(path.join(lameSource, 'libmp3lame')) ? undefined : `${lameSource} has no libmp3lame`
}

/** Builds into a temporary folder and returns the bytes of a module. */
function build(name: string, ...sources: string[]): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-wasm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const script = path.join(import.meta.dirname, 'build.sh')
  const { status, stderr } = spawnSync('sh', [script, folder, ...sources], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return readFileSync(path.join(folder, name))
}

const committed = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, name))

test('building dsp.wasm from source gives the committed bytes', ({ skip }) => {
  const reason = missingTool()
  if (reason) skip(reason)
  expect(build('dsp.wasm').equals(committed('dsp.wasm'))).toBe(true)
})

test('building lame.wasm from source gives the committed bytes', ({ skip }) => {
  const reason = missingTool() ?? missingLame()
  if (reason) skip(reason)
  expect(build('lame.wasm', path.resolve(lameSource!)).equals(committed('lame.wasm'))).toBe(true)
})

test('building faad.wasm from source gives the committed bytes', ({ skip }) => {
  const reason = missingTool() ?? (faadSource ? undefined : 'FAAD_SOURCE does not name the folder of the FAAD2 sources')
  if (reason) skip(reason)
  expect(build('faad.wasm', '', path.resolve(faadSource!)).equals(committed('faad.wasm'))).toBe(true)
})
