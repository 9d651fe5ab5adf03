import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Ctrl+C was pressed instead of an answer. */
export class InterruptedError extends Error {}

/**
 * Asks for one line. On a terminal what is typed is not shown; else it is the first line of the standard input. Throws
 * InterruptedError at Ctrl+C, so that whoever asked can close what is open.
 */
export function readHiddenLine(context: string): Promise<string> {
  const isTerminal = Boolean(process.stdin.isTTY)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  if (isTerminal) process.stderr.write(context)
  return new Promise((resolve, reject) => {
    let line = ''
    lines.once('line', (answer) => {
      line = answer
      lines.close()
    })
    lines.once('SIGINT', () => {
      reject(new InterruptedError('Interrupted.'))
      lines.close()
    })
    lines.once('close', () => {
      if (isTerminal) process.stderr.write('\n')
      resolve(line)
    })
  })
}
