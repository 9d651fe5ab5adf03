// Fails on words that we replaced by plain English: part of `npm test`. The list is banned-words.mjs.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { BANNED_IDENTIFIER_WORDS, BANNED_NAMES, BANNED_PHRASES, BANNED_TYPE_NAMES } from './banned-words.mjs'
import { root } from './releases.mjs'

const CHECKED = /\.(tsx?|mjs|css|html|md|sql|ya?ml)$/
const CODE = /\.(tsx?|mjs)$/

/** Files that quote old words on purpose, or may not change. */
const EXEMPT = [
  /^scripts\/(banned-words|check-words)(\.test)?\.(mjs|ts)$/,
  // Their checksums are stored in every database.
  /^server\/migrations\//,
  /^THIRD-PARTY\.md$/,
]

/** Fills databases of earlier versions, with their names. */
const MIGRATION_TEST = /^server\/test\/upgrade\.heavy\.test\.ts$/

/** Texts that the specification gives word by word, and proper names. */
const QUOTED = []

const between = (words) => new RegExp(`(?<![\\w-])(?:${words.map(([word]) => word).join('|')})(?![\\w-])`, 'gi')
const PHRASES = between(BANNED_PHRASES)
const NAMES = new RegExp(`\\b(?:${BANNED_NAMES.map(([name]) => name).join('|')})\\b`, 'g')
const TYPE_NAMES = new RegExp(`\\b(?:type|interface|class)\\s+(${BANNED_TYPE_NAMES.join('|')})\\b`, 'g')
const IDENTIFIER = /[A-Za-z_$][\w$]*/g
const IDENTIFIER_WORDS = new Map(BANNED_IDENTIFIER_WORDS)

/** 'askAnew' → ask, anew; 'MOST_KEPT' → most, kept. */
const wordsOf = (name) =>
  name
    .replace(/([A-Z])(?=[A-Z][a-z])|([a-z0-9])(?=[A-Z])/g, '$1$2 ')
    .toLowerCase()
    .split(/[\s_$]+/)

const replacementFor = (phrase) =>
  [...BANNED_PHRASES, ...BANNED_NAMES].find(([word]) => new RegExp(`^(?:${word})$`, 'i').test(phrase))?.[1] ??
  'plain English'

const PROSE =
  /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*`/g
const blank = (text) => text.replace(/[^\n]/g, ' ')

/** Code without strings and comments, at the same length: what is left are identifiers and keywords. */
const withoutProse = (code) => code.replace(PROSE, blank)

/** Every banned word in a file: `line`, `found` and `instead`. */
export function findBannedWords(file, content) {
  const found = []
  const add = (index, word, instead) =>
    found.push({ file, line: content.slice(0, index).split('\n').length, found: word, instead })
  for (const { 0: word, index } of content.matchAll(PHRASES)) {
    const isQuoted = QUOTED.some((quote) => {
      const at = content.lastIndexOf(quote, index)
      return at >= 0 && index < at + quote.length
    })
    if (!isQuoted) add(index, word, replacementFor(word))
  }
  if (!CODE.test(file)) return found
  if (!MIGRATION_TEST.test(file))
    for (const { 0: name, index } of content.matchAll(NAMES)) add(index, name, replacementFor(name))
  const code = withoutProse(content)
  for (const { 1: name, index } of code.matchAll(TYPE_NAMES))
    add(index, `type ${name}`, 'a name that says what it describes')
  for (const { 0: name, index } of code.matchAll(IDENTIFIER)) {
    const word = wordsOf(name).find((each) => IDENTIFIER_WORDS.has(each))
    if (word) add(index, name, IDENTIFIER_WORDS.get(word))
  }
  return found
}

function listFiles() {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ls-files: ${stderr.trim()}`)
  return stdout.split('\0').filter((file) => CHECKED.test(file) && !EXEMPT.some((exempt) => exempt.test(file)))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = listFiles().flatMap((file) => findBannedWords(file, readFileSync(path.join(root, file), 'utf8')))
  for (const { file, line, found: word, instead } of found) console.log(`${file}:${line}: “${word}”: write ${instead}.`)
  console.log(found.length === 0 ? 'No banned words.' : `${found.length} banned words.`)
  process.exit(found.length === 0 ? 0 : 1)
}
