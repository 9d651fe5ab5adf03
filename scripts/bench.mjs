// `npm run bench -- [NAME …] [--songs N] [--keep FOLDER]`: measures the built server and what it is compared with.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { checkNode, prepareCheckout, root, run } from './run.mjs'

checkNode()
prepareCheckout()
run(process.execPath, ['node_modules/rolldown/bin/cli.mjs', '-c', 'bench/rolldown.config.ts', '--log-level', 'silent'])
const bench = spawn(
  process.execPath,
  ['--enable-source-maps', path.join(root, 'bench/tmp/built/main.js'), ...process.argv.slice(2)],
  { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => bench.kill(signal))
bench.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
