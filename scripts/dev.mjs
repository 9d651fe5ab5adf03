// `npm run dev`: the pool with screens that reload as you edit, and a server that starts again when its sources change.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { build, checkNode, install, root } from './run.mjs'

checkNode()
install()
build()
const start = (...args) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
const parts = [
  start('node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.ts', '--watch', '--log-level', 'warn'),
  start('--enable-source-maps', '--watch-preserve-output', '--watch', path.join(root, 'server/dist/start.js')),
  start('node_modules/vite/bin/vite.js', 'web'),
]
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const part of parts) part.kill(signal)
  })
}
