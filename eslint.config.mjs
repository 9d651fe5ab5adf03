import parser from '@babel/eslint-parser'
import reactHooks from 'eslint-plugin-react-hooks'

/** Babel parses: the parser of typescript-eslint does not work with TypeScript 7. */
const parseWith = (...plugins) => ({
  parser,
  parserOptions: { requireConfigFile: false, babelOptions: { parserOpts: { plugins } } },
})

/** Only React's own rules. Biome has all others. */
const rules = {
  ...reactHooks.configs.flat['recommended-latest'],
  ignores: ['**/*.test.*'],
  linterOptions: { reportUnusedDisableDirectives: 'error' },
}

export default [
  { ...rules, files: ['web/src/**/*.ts'], languageOptions: parseWith('typescript') },
  { ...rules, files: ['web/src/**/*.tsx'], languageOptions: parseWith('typescript', 'jsx') },
]
