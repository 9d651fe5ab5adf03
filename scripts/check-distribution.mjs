// Checks the list of scripts/distribution.mjs against server/schema.sql and prints the generated part of docs/distribution.md.
// With --write, replaces it there. Fails if a table is missing in the list.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describeDistribution, findListErrors, parseSchema } from './distribution.mjs'
import { root } from './releases.mjs'

const [BEGIN, END] = ['<!-- generated -->', '<!-- end of generated -->']
const tables = parseSchema(readFileSync(path.join(root, 'server/schema.sql'), 'utf8'))
const errors = findListErrors(tables)
if (errors.length > 0) {
  console.error(`${errors.join('\n')}\nCorrect the list in scripts/distribution.mjs.`)
  process.exit(1)
}
const text = describeDistribution(tables)
if (process.argv.includes('--write')) {
  const file = path.join(root, 'docs/distribution.md')
  const [before, rest] = readFileSync(file, 'utf8').split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`docs/distribution.md lacks the lines ${BEGIN} and ${END}.`)
  writeFileSync(file, `${before}${BEGIN}\n\n${text}\n\n${END}${after}`)
} else console.log(text)
