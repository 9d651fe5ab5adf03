import { expect, test } from 'vitest'
import { openAnalysisHarness } from './analysis-harness.ts'
import { makeSoundFile } from './make-sound-files.ts'

const { analyseBytes } = openAnalysisHarness()

/** Each kind of each format once. `sound-files.long.test.ts` tests two hundred. */
const FILES = 30

test.each(Array.from({ length: 5 }, (_, rest) => rest))(
  'finds no fault in intact files of format %s of 5',
  async (rest) => {
    const found: unknown[] = []
    for (let n = rest; n < FILES; n += 5) {
      const { faults } = await analyseBytes(await makeSoundFile(n))
      if (faults.length > 0) found.push([n, faults])
    }
    expect(found).toEqual([])
  },
)
