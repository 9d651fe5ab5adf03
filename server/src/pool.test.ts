import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCommand } from './pool-commands.ts'

// Within the repository, so that the bundle finds its packages.
const built = path.resolve('node_modules/.cache', `pool-test-${process.pid}`)

beforeAll(async () => {
  const bundle = await rolldown({
    input: path.join(import.meta.dirname, 'pool.ts'),
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
  })
  await bundle.write({ dir: built, format: 'esm' })
  await bundle.close()
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

const pool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(built, 'pool.js'), ...args], {
    encoding: 'utf8',
    // An invalid setting: none of these commands may get as far as opening a database.
    env: { PATH: process.env.PATH, PORT: 'none' },
  })
  return { status, stdout, said: stderr.trim() }
}

test.each([
  [
    ['improt'],
    'Unknown command "improt". Available: import, create-staff, two-step-off, set-plan, set-coupon, backup, restore, rehearse-restore, release-mail, check, repair, worker-health, export, demo, migrate and help.',
  ],
  [['set-plan'], 'Missing plan title. Usage: set-plan TITLE --price 14.99'],
  [['set-plan', 'Standard'], 'Missing price, for example: --price 14.99'],
  [['set-plan', 'Standard', '--price', '14,99'], '--price: 14,99 isn’t a valid amount. Use a format such as 19.99.'],
  [['set-plan', 'Standard', '--price', '5', '--trial', '5'], 'The trial price must be lower than the plan price.'],
  [['set-coupon', 'X'], 'Missing discount: use --percent 20 or --amount 5.00.'],
  [['set-coupon', 'X', '--percent', '101'], '--percent must be a number from 1 to 100, not "101".'],
  [['set-coupon', 'X', '--percent', '5', '--ends', 'May'], '--ends must be a date such as 2027-01-31, not "May".'],
  [['import'], 'Missing folder. Usage: import FOLDER'],
  [['import', '/no/such/folder'], 'Folder /no/such/folder does not exist.'],
  [['import', import.meta.filename], `${import.meta.filename} is not a folder.`],
  [['import', '.', '--jobs', '0'], '--jobs must be a number from 1 to 64, not "0".'],
  [['import', '.', '--section', '3'], '--section must be a number from 1 to 2, not "3".'],
  [['create-staff', 'nobody'], '"nobody" is not a valid email address.'],
  [['two-step-off'], 'Missing email address. Usage: two-step-off EMAIL'],
  [['backup'], 'Missing folder. Usage: backup FOLDER'],
  [['restore', 'one', 'two'], 'Missing folder. Usage: restore FOLDER'],
  [['check', 'folder'], 'check doesn’t take a folder. To verify a backup, run restore FOLDER --dry-run.'],
  [['export', 'members'], 'Missing arguments. Example: export members members.csv'],
  [['export', 'songs', 'x.csv'], 'Unknown export "songs". Available: members, downloads, payments.'],
  [['toString'], /^Unknown command "toString"\. Available: /],
  [['migrate', '--writeschema'], "Unknown option '--writeschema'. Run npm run pool -- help for usage."],
])('rejects %j with one sentence', (args, sentence) => {
  const message = typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)
  expect(() => readCommand(args)).toThrow(expect.objectContaining({ message }))
})

test('an invalid command exits with 2 and writes the sentence to stderr', () => {
  expect(pool('import')).toEqual({ status: 2, stdout: '', said: 'Missing folder. Usage: import FOLDER' })
  expect(pool('set-plan', 'Standard')).toMatchObject({ status: 2, said: 'Missing price, for example: --price 14.99' })
})

test('help lists the commands', () => {
  for (const args of [[], ['help'], ['--help']]) expect(readCommand(args)).toBeUndefined()
  const { status, stdout } = pool()
  expect(status).toBe(0)
  for (const command of [
    'import FOLDER',
    'create-staff EMAIL',
    'two-step-off EMAIL',
    'backup FOLDER',
    'check',
    'migrate',
  ])
    expect(stdout).toContain(command)
})

test('names an invalid setting', () => {
  const { status, said } = pool('migrate')
  expect(status).toBe(1)
  expect(said).toContain('Invalid PORT="none": expected a port number')
})
