// `npm start`: installs, builds, and opens the pool. On a fresh clone it needs Node and nothing else.
import { spawn } from 'node:child_process'
import { areStartsHeld, home, programIn, registerSupervisor } from './releases.mjs'
import { checkNode, prepareProgram } from './run.mjs'

checkNode()
let folder = prepareProgram()
let server
/** Set while `npm run upgrade` replaces the server: its end is not the end of the pool. */
let isReplacing = false

function start() {
  server = spawn(process.execPath, ['--enable-source-maps', programIn(folder, 'start')], {
    cwd: home,
    stdio: 'inherit',
  })
  server.on('exit', (code, signal) => {
    if (isReplacing) return startAgain()
    process.exit(code ?? (signal ? 1 : 0))
  })
}

/** Starts the version that is current by then, once the upgrade lets go (or was killed). */
function startAgain() {
  if (areStartsHeld()) return setTimeout(startAgain, 100)
  isReplacing = false
  folder = prepareProgram()
  start()
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (server.exitCode !== null || server.signalCode !== null) process.exit(0)
    isReplacing = false
    server.kill(signal)
  })
}
process.on('SIGUSR2', () => {
  isReplacing = true
  server.kill('SIGTERM')
})
registerSupervisor()
start()
