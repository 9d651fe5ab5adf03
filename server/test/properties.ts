import fc from 'fast-check'

/**
 * fast-check with the same cases in every run, so that a change is judged by itself and not by chance. `SEED=7 npm test --
 * unit` tries others; a case that breaks a rule is then written down as a test of its own.
 */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_122) })

export { fc }
