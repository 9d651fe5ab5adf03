import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU seconds a process has used in all of its threads, with nanosecond resolution. Source: proc(5), first field of
 * schedstat.
 */
export function cpuSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.reduce((sum, thread) => sum + schedstat(`/proc/${pid}/task/${thread}/schedstat`), 0)
}

/** Sum of the CPU seconds of several single-threaded processes. Processes that have ended count as 0. */
export const cpuSecondsOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + schedstat(`/proc/${pid}/schedstat`), 0)

function schedstat(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e9
  } catch {
    return 0
  }
}

/**
 * CPU seconds of child processes that have ended, including their own children. Source: proc(5), cutime and cstime in
 * ticks of 10 ms.
 */
export function endedChildrenCpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Peak resident memory of a process, in MB. Source: proc(5), VmHWM. */
export function peakMemoryMb(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return (Number(kilobytes) * 1024) / 1e6
}

/** The value that the given share of the values does not exceed; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Wall-clock milliseconds that an action takes. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}
