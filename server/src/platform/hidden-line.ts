import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Asks for one line. On a terminal what is typed is not shown; else it is the first line of the standard input. */
export function readHiddenLine(question: string): Promise<string> {
  const isTerminal = Boolean(process.stdin.isTTY)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  if (isTerminal) process.stderr.write(question)
  return new Promise((resolve) => {
    let line = ''
    lines.once('line', (given) => {
      line = given
      lines.close()
    })
    lines.once('SIGINT', () => process.exit(130))
    lines.once('close', () => {
      if (isTerminal) process.stderr.write('\n')
      resolve(line)
    })
  })
}
