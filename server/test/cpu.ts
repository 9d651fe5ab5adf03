/**
 * Returns the CPU seconds of this process, all its threads, while a function runs: a busy machine takes longer, but not
 * more CPU.
 */
export async function measureCpu(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
