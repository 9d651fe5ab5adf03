/** CPU seconds of this process, all its threads, while something runs: a busy machine makes it slower, not dearer. */
export async function measureCpu(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
