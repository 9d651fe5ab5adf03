import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** A loop file and its number of beats: the tempo follows from its length. */
export type Loop = { name: string; path: string; beats: number }

const SECONDS = 30

/** Debian packages of free loops, and the folder each installs them in. */
const PACKAGES = [
  {
    name: 'sonic-pi-samples',
    folder: 'usr/share/sonic-pi/samples',
    beats: {
      ...{ 'loop_amen.flac': 4, 'loop_amen_full.flac': 16, 'loop_breakbeat.flac': 4, 'loop_compus.flac': 16 },
      ...{ 'loop_garzul.flac': 16, 'loop_industrial.flac': 2, 'loop_mika.flac': 16, 'loop_safari.flac': 16 },
      ...{ 'loop_mehackit1.flac': 4, 'loop_mehackit2.flac': 4, 'loop_perc1.flac': 4, 'loop_perc2.flac': 4 },
      ...{ 'loop_electric.flac': 4, 'loop_weirdo.flac': 8 },
    },
  },
  {
    name: 'lmms-common',
    folder: 'usr/share/lmms/samples',
    beats: {
      ...{ 'beats/909beat01.ogg': 8, 'beats/break01.ogg': 4, 'beats/break02.ogg': 4, 'beats/break03.ogg': 4 },
      ...{ 'beats/electro_beat01.ogg': 8, 'beats/electro_beat02.ogg': 4, 'beats/house_loop01.ogg': 4 },
      ...{ 'beats/jungle01.ogg': 8, 'bassloops/techno_synth01.ogg': 8, 'bassloops/techno_synth02.ogg': 8 },
      ...{ 'bassloops/techno_synth03.ogg': 8, 'bassloops/techno_synth04.ogg': 16, 'bassloops/tb303_01.ogg': 8 },
      ...{ 'latin/latin_brass01.ogg': 4, 'latin/latin_guitar01.ogg': 8, 'latin/latin_guitar03.ogg': 16 },
    },
  },
]

const run = (program: string, args: string[], cwd?: string) =>
  spawnSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 28 })

/** The root folder of a package's files: `/` when it is installed, otherwise the folder that apt unpacks it into. */
function rootOf({ name, folder }: (typeof PACKAGES)[number], scratch: string): string | undefined {
  if (existsSync(path.join('/', folder))) return '/'
  const root = path.join(scratch, name)
  mkdirSync(root, { recursive: true })
  if (run('apt-get', ['download', name], root).status !== 0) return undefined
  const file = readdirSync(root).find((entry) => entry.endsWith('.deb'))
  if (!file || run('dpkg', ['-x', file, '.'], root).status !== 0) return undefined
  return root
}

/** Returns the available loops, and the packages that could not be downloaded. */
export function downloadLoops(scratch: string): { loops: Loop[]; missing: string[] } {
  const loops: Loop[] = []
  const missing: string[] = []
  for (const entry of PACKAGES) {
    const root = rootOf(entry, scratch)
    if (!root) missing.push(entry.name)
    else {
      for (const [name, beats] of Object.entries(entry.beats)) {
        loops.push({ name, path: path.join(root, entry.folder, name), beats })
      }
    }
  }
  return { loops, missing }
}

/**
 * Repeats a loop without gaps for 30 seconds, mono at 44.1 kHz, and returns it with its tempo. Undefined when ffmpeg
 * cannot read the file.
 */
export function playLoop(loop: Loop): { bpm: number; mono: Float32Array } | undefined {
  const rawFormat = ['-f', 'f32le', '-ac', '1', '-ar', '44100', '-']
  const { status, stdout } = run('ffmpeg', ['-v', 'error', '-nostdin', '-i', loop.path, ...rawFormat])
  if (status !== 0 || !stdout?.length) return undefined
  const loopSamples = new Float32Array(new Uint8Array(stdout).buffer)
  const mono = new Float32Array(Math.ceil((SECONDS * 44_100) / loopSamples.length) * loopSamples.length)
  for (let at = 0; at < mono.length; at += loopSamples.length) mono.set(loopSamples, at)
  return { bpm: (loop.beats * 60 * 44_100) / loopSamples.length, mono }
}
