import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** What a program shows of a file; null for what it does not show. `art` is the SHA-256 of the cover's bytes. */
export type ShownTags = Record<'title' | 'artist' | 'bpm' | 'key' | 'art', string | null>

/** A program that does not share code with this one. */
export type TagReader = {
  name: 'TagLib' | 'mutagen' | 'exiftool' | 'ffprobe' | 'kid3-cli'
  /** Why it cannot be used here; undefined if it can. */
  missing(): string | undefined
  read(files: readonly string[]): ShownTags[]
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const PYTHON = '/usr/bin/python3'
const SCRIPT = path.join(import.meta.dirname, 'tag-readers.py')

function run(program: string, args: readonly string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, { maxBuffer: MAX_OUTPUT_BYTES })
  if (error || status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
  return stdout
}

const runs = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: 'ignore' }).status === 0

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** exiftool writes texts that are not valid UTF-8 in base64. */
const fromExiftool = (value: unknown): string | null =>
  toText(String(value ?? '').replace(/^base64:(.*)/, (_, encoded) => Buffer.from(encoded, 'base64').toString()))

const toText = (value: unknown): string | null => (value === undefined || value === '' ? null : String(value))

const pythonReader = (name: TagReader['name'], library: string, debianPackage: string): TagReader => ({
  name,
  missing: () => (runs(PYTHON, SCRIPT, library) ? undefined : `${debianPackage} is not installed`),
  read: (files) => JSON.parse(run(PYTHON, [SCRIPT, library, ...files]).toString()),
})

const EXIFTOOL_FIELDS = ['Title', 'Artist', 'BeatsPerMinute', 'BPM', 'InitialKey', 'Picture', 'CoverArt']

const exiftool: TagReader = {
  name: 'exiftool',
  missing: () => (runs('exiftool', '-ver') ? undefined : 'exiftool is not installed'),
  read: (files) => {
    const fields = EXIFTOOL_FIELDS.map((field) => `-${field}`)
    const shown: Record<string, unknown>[] = JSON.parse(run('exiftool', ['-j', '-b', ...fields, ...files]).toString())
    return shown.map((tags) => {
      const picture = toText(tags.Picture ?? tags.CoverArt)?.replace('base64:', '')
      return {
        ...{ title: fromExiftool(tags.Title), artist: fromExiftool(tags.Artist) },
        ...{
          bpm: toText(tags.BPM ?? tags.Bpm ?? tags.BeatsPerMinute),
          key: toText(tags.InitialKey ?? tags.Initialkey),
        },
        art: picture ? sha256(Buffer.from(picture, 'base64')) : null,
      }
    })
  },
}

function readWithFfprobe(file: string): ShownTags {
  const entries = ['-show_entries', 'format_tags:stream_tags:stream=codec_type']
  const { format, streams } = JSON.parse(run('ffprobe', ['-v', 'error', ...entries, '-of', 'json', file]).toString())
  const tags: Record<string, string> = {}
  for (const [name, value] of Object.entries<string>({ ...streams[0]?.tags, ...format.tags }))
    tags[name.toLowerCase()] = value
  const hasArt = streams.some(({ codec_type }: { codec_type: string }) => codec_type === 'video')
  const copy = ['-v', 'error', '-i', file, '-map', '0:v:0', '-c', 'copy', '-f', 'image2pipe', '-']
  return {
    ...{ title: toText(tags.title), artist: toText(tags.artist), bpm: toText(tags.tbpm ?? tags.bpm ?? tags.tmpo) },
    ...{ key: toText(tags.tkey ?? tags.initialkey), art: hasArt ? sha256(run('ffmpeg', copy)) : null },
  }
}

const ffprobe: TagReader = {
  name: 'ffprobe',
  missing: () => (runs('ffprobe', '-version') && runs('ffmpeg', '-version') ? undefined : 'ffmpeg is not installed'),
  read: (files) => files.map(readWithFfprobe),
}

type Kid3Frames = { result?: { taggedFile?: Record<string, { frames?: { name: string; value: string }[] }> } }

function readWithKid3(file: string): ShownTags {
  const folder = mkdtempSync(path.join(tmpdir(), 'kid3-'))
  try {
    const picture = path.join(folder, 'cover')
    const commands = ['{"method":"get","params":["all"]}', `get 'picture:${picture}'`]
    const output = run('kid3-cli', [...commands.flatMap((command) => ['-c', command]), file]).toString()
    const { result }: Kid3Frames = JSON.parse(output.split('\n')[0]!)
    const frames = Object.entries(result?.taggedFile ?? {}).flatMap(([tag, { frames: all }]) =>
      tag === 'tag2' || tag === 'tag3' ? (all ?? []) : [],
    )
    const find = (...names: string[]) => {
      const frame = names.flatMap((name) => frames.filter((each) => each.name.toLowerCase() === name))[0]
      return toText(frame?.value)
    }
    return {
      ...{ title: find('title'), artist: find('artist'), bpm: find('bpm'), key: find('initial key', 'initialkey') },
      art: find('picture') === null && !fileExists(picture) ? null : sha256(readFileSync(picture)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fileExists(file: string): boolean {
  try {
    return readFileSync(file).length > 0
  } catch {
    return false
  }
}

const kid3: TagReader = {
  name: 'kid3-cli',
  missing: () => (runs('kid3-cli', '--help') ? undefined : 'kid3-cli is not installed'),
  read: (files) => files.map(readWithKid3),
}

export const TAG_READERS: readonly TagReader[] = [
  pythonReader('TagLib', 'taglib', 'python3-taglib'),
  pythonReader('mutagen', 'mutagen', 'python3-mutagen'),
  exiftool,
  ffprobe,
  kid3,
]
