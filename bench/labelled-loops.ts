import path from 'node:path'
import { findPackageFolder, readPcm } from './packages.ts'

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

/** Returns the available loops, and the packages that could not be downloaded. */
export function downloadLoops(scratch: string): { loops: Loop[]; missing: string[] } {
  const loops: Loop[] = []
  const missing: string[] = []
  for (const entry of PACKAGES) {
    const folder = findPackageFolder(entry, scratch)
    if (!folder) missing.push(entry.name)
    else {
      for (const [name, beats] of Object.entries(entry.beats)) {
        loops.push({ name, path: path.join(folder, name), beats })
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
  const loopSamples = readPcm(loop.path)
  if (!loopSamples) return undefined
  const mono = new Float32Array(Math.ceil((SECONDS * 44_100) / loopSamples.length) * loopSamples.length)
  for (let at = 0; at < mono.length; at += loopSamples.length) mono.set(loopSamples, at)
  return { bpm: (loop.beats * 60 * 44_100) / loopSamples.length, mono }
}
