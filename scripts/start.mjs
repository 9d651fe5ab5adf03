// `npm start`: installs, builds, and opens the pool. On a fresh clone it needs Node and nothing else.
import { spawn } from 'node:child_process'
import { isatty } from 'node:tty'
import { watchNpm } from './parent.mjs'
import { areStartsHeld, home, isUpgrading, programIn, registerSupervisor } from './releases.mjs'
import { checkNode, prepareProgram } from './run.mjs'
import { supervise } from './supervise.mjs'

checkNode()
let isStopping = false
let isHungUp = false
// Before anything is built, which takes minutes: npm may be stopped during that time.
watchNpm(() => {
  if (!isStopping && !isHungUp) stop('SIGTERM')
})

let folder
const reportServer = registerSupervisor()

function start(mayHaveChanged) {
  if (mayHaveChanged) folder = prepareProgram()
  const server = spawn(process.execPath, ['--enable-source-maps', programIn(folder, 'start')], {
    cwd: home,
    stdio: 'inherit',
  })
  reportServer(server)
  return server
}

const server = supervise(start, { isHeld: areStartsHeld, isUpgrading, onEnd: () => reportServer() })

function stop(signal) {
  isStopping = true
  server.stop(signal)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))

// A terminal that is closed stops the pool, unless nohup has taken all three streams from it. npm itself ends either way.
const isInTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
process.on('SIGHUP', () => {
  isHungUp = true
  if (isInTerminal) stop('SIGTERM')
})
process.on('SIGUSR2', () => server.replace())
process.exit(await server.ended)
