import { open } from 'node:fs/promises'
import { convertOpened } from '../server/src/analysis/conversion/convert.ts'
import type { ConversionFormat } from '../server/src/analysis/conversion/formats.ts'
import { peakMemoryMb } from './measure.ts'

/** Cost of converting one file in a separate process. */
export type ConversionMeasurement = { cpu_seconds: number; peak_mb: number }

const [sourcePath = '', targetPath = '', format = 'mp3'] = process.argv.slice(2)
const [source, target] = [await open(sourcePath, 'r'), await open(targetPath, 'w')]
const before = process.cpuUsage()
await convertOpened(
  { source: source.fd, target: target.fd },
  { format: format as ConversionFormat, maxDurationSeconds: 3600 },
)
const { user, system } = process.cpuUsage(before)
const measurement: ConversionMeasurement = {
  cpu_seconds: (user + system) / 1e6,
  peak_mb: peakMemoryMb(process.pid),
}
process.stdout.write(JSON.stringify(measurement), () => process.exit(0))
