import { expect, test } from 'vitest'
import { openAnalysisHarness } from './analysis-harness.ts'
import { makeSoundFile } from './make-sound-files.ts'

const { analyseBytes } = openAnalysisHarness()

test.each(Array.from({ length: 10 }, (_, n) => n * 20))(
  'finds no fault in 20 intact files from number %s on',
  async (from) => {
    const found: unknown[] = []
    for (let n = from; n < from + 20; n++) {
      const { faults } = await analyseBytes(await makeSoundFile(n))
      if (faults.length > 0) found.push([n, faults])
    }
    expect(found).toEqual([])
  },
)
