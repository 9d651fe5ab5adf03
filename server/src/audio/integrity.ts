import type { Fault } from './analysis.ts'
import type { FileWindow } from './file-window.ts'
import { foreignFault, sniffFormat } from './format.ts'
import { type FlacStructure, inspectFlac } from './integrity-flac.ts'
import { inspectMp3, type Mp3Structure } from './integrity-mp3.ts'
import { inspectPcm, type PcmStructure } from './integrity-pcm.ts'

export type Structure = Mp3Structure | PcmStructure | FlacStructure

/** What a file is and whether it is whole, from its structure alone; a file without our audio gives the fault that says so. */
export function inspect(file: FileWindow): Structure | Fault {
  const format = file.size === 0 ? undefined : sniffFormat(file)
  if (format === 'flac') return inspectFlac(file)
  if (format) return inspectPcm(file, format)
  return inspectMp3(file) ?? foreignFault(file)
}
