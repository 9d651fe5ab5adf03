import { expect, test } from 'vitest'
import { openTrial } from './file-trial.ts'
import { makeSoundFile } from './make-sound-files.ts'

const { verdictOn } = openTrial()

test.each(Array.from({ length: 10 }, (_, n) => n * 20))(
  'finds no fault in 20 sound files from number %s on',
  async (from) => {
    const found: unknown[] = []
    for (let n = from; n < from + 20; n++) {
      const { faults } = await verdictOn(await makeSoundFile(n))
      if (faults.length > 0) found.push([n, faults])
    }
    expect(found).toEqual([])
  },
)
