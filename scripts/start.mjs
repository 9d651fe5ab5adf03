// `npm start`: installs, builds, and opens the pool. On a fresh clone it needs Node and nothing else.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { build, checkNode, install, root } from './run.mjs'

checkNode()
install()
build()
const server = spawn(process.execPath, ['--enable-source-maps', path.join(root, 'server/dist/start.js')], {
  cwd: root,
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
