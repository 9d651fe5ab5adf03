import { type ChildProcess, fork } from 'node:child_process'
import os from 'node:os'
import { confinedFlags } from './permission-flags.ts'

export type ConfinedChildOptions = {
  /** The built entry point of the child process. */
  childPath: string
  /** Node options that confine a child process. Replaced in tests. */
  flags?: readonly string[]
}

const LOW_PRIORITY = 10

/**
 * Starts a process that reads an untrusted file: it inherits none of the server's secrets and can open no file and start
 * no process. Its source and its target are passed as open file descriptors. A child reads one file only, so a child
 * that a malicious file took over never gets another member's file. What it prints about damaged files is dropped.
 */
export function startConfinedChild(
  { childPath, flags }: ConfinedChildOptions,
  { source, target }: { source: number; target: number | undefined },
): ChildProcess {
  const child = fork(childPath, [], {
    serialization: 'advanced',
    // In the order of SOURCE_FD and TARGET_FD.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', source, target ?? 'ignore'],
    execArgv: ['--max-old-space-size=512', ...(flags ?? confinedFlags(childPath))],
    env: {},
  })
  // An error after the result was reported must not crash the server.
  child.on('error', () => {})
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, LOW_PRIORITY)
  } catch {
    // The child has already exited, or the platform has no priorities. Its exit is reported by the code that waits for
    // it.
  }
  return child
}

const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null

export async function endChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
