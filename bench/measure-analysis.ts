import { analyse } from '../server/src/analysis/analyse.ts'
import { peakMemoryMb } from './measure.ts'

/** Cost of analysing one file, including its preview, in a separate process. */
export type AnalysisMeasurement = { duration_seconds: number; cpu_seconds: number; peak_mb: number }

const [file = '', previewPath = ''] = process.argv.slice(2)
const before = process.cpuUsage()
const { duration_seconds } = await analyse(file, { previewPath })
const { user, system } = process.cpuUsage(before)
const measurement: AnalysisMeasurement = {
  duration_seconds,
  cpu_seconds: (user + system) / 1e6,
  peak_mb: peakMemoryMb(process.pid),
}
process.stdout.write(JSON.stringify(measurement), () => process.exit(0))
