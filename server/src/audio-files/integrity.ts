import type { Fault } from './faults.ts'
import type { FileWindow } from './file-window.ts'
import { foreignFault, sniffFormat } from './format.ts'
import { type FlacStructure, inspectFlac } from './integrity-flac.ts'
import { inspectM4a, type M4aStructure } from './integrity-m4a.ts'
import { inspectMp3, type Mp3Structure } from './integrity-mp3.ts'
import { inspectOgg, type OggStructure } from './integrity-ogg.ts'
import { inspectPcm, type PcmStructure } from './integrity-pcm.ts'

export type Structure = Mp3Structure | PcmStructure | FlacStructure | M4aStructure | OggStructure

/**
 * Detects a file's format and whether it is intact, from its structure alone. Returns a fault for a file in no
 * supported format.
 */
export function inspect(file: FileWindow): Structure | Fault {
  const format = file.size === 0 ? undefined : sniffFormat(file)
  if (format === 'flac') return inspectFlac(file)
  if (format === 'm4a') return inspectM4a(file)
  if (format === 'ogg') return inspectOgg(file)
  if (format) return inspectPcm(file, format)
  return inspectMp3(file) ?? foreignFault(file)
}
