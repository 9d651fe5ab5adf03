// `npm start`: installs, builds, and opens the pool. On a fresh clone it needs Node and nothing else.
import path from 'node:path'
import { build, checkNode, install, root } from './run.mjs'
import { supervise } from './supervise.mjs'

checkNode()
install()
build()
const server = supervise(process.execPath, ['--enable-source-maps', path.join(root, 'server/dist/start.js')], {
  cwd: root,
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.stop(signal))
process.exit(await server.ended)
