// `npm run drill -- NAME …`: causes faults (killed processes, full disks, bad networks) in the built server and prints
// what survived.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { checkNode, prepareCheckout, root, run } from './run.mjs'

checkNode()
prepareCheckout()
run(process.execPath, ['node_modules/rolldown/bin/cli.mjs', '-c', 'drills/rolldown.config.ts', '--log-level', 'silent'])
const drill = spawn(
  process.execPath,
  ['--enable-source-maps', path.join(root, 'drills/tmp/built/main.js'), ...process.argv.slice(2)],
  { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => drill.kill(signal))
drill.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
