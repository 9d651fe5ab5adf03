// `npm start`: installs, builds, and opens the pool. On a fresh clone it needs Node and nothing else.
import { spawn } from 'node:child_process'
import { areStartsHeld, home, isUpgrading, programIn, registerSupervisor } from './releases.mjs'
import { checkNode, prepareProgram } from './run.mjs'

checkNode()
let folder = prepareProgram()
const reportServer = registerSupervisor()
let server
/** Set while `npm run upgrade` replaces the server: its end is not the end of the pool. */
let isReplacing = false
let isStopping = false

function start() {
  server = spawn(process.execPath, ['--enable-source-maps', programIn(folder, 'start')], {
    cwd: home,
    stdio: 'inherit',
  })
  reportServer(server)
  server.on('exit', (code, signal) => {
    reportServer()
    if (isReplacing) return startAgain()
    if (isUpgrading() && !isStopping) return setTimeout(startAgain, 1000)
    process.exit(code ?? (signal ? 1 : 0))
  })
}

/** Starts the version that is current by then, once the upgrade lets go (or was killed). */
function startAgain() {
  if (isStopping) process.exit(0)
  if (areStartsHeld()) return setTimeout(startAgain, 100)
  isReplacing = false
  folder = prepareProgram()
  start()
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isStopping = true
    isReplacing = false
    server.kill(signal)
  })
}
process.on('SIGUSR2', () => {
  isReplacing = true
  server.kill('SIGTERM')
})
start()
