// `npm run dev`: runs the pool with a front end that reloads as you edit and a server that restarts when its sources
// change.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { checkNode, prepareCheckout, root, run } from './run.mjs'

checkNode()
prepareCheckout()
const start = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
// A separate folder, so that `npm start` never runs a build of unfinished sources.
const bundler = ['node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.ts', '--dir', 'server/dist/dev']
run(process.execPath, [...bundler, '--log-level', 'warn'])
const parts = [
  start(...bundler, '--watch', '--log-level', 'warn'),
  start('--enable-source-maps', '--watch-preserve-output', '--watch', path.join(root, 'server/dist/dev/start.js')),
  start('node_modules/vite/bin/vite.js', 'web'),
]
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const part of parts) part.kill(signal)
  })
}
