import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { coverSvg } from './cover.ts'

describe('demo cover', () => {
  it('returns the same cover for the same song and another one for another song', () => {
    const draw = (seed: number) => coverSvg(seed, { title: 'Velvet Hour', artist: 'Kasa Nova' })
    expect(draw(5)).toBe(draw(5))
    expect(new Set(Array.from({ length: 60 }, (_, seed) => draw(seed))).size).toBe(60)
  })

  it('needs no font, whatever characters the title has', () => {
    for (const title of ['Été <Indien> & "Bis"', '夜明け前', 'Тихий Район', '', '86 Bars', 'Supercalifragilistic']) {
      const svg = coverSvg(9, { title, artist: 'Jo’nelle & $' })
      expect(svg).not.toMatch(/<text|font-|NaN|undefined|Infinity/)
    }
  })

  it('renders at 640 by 640 in every style', async () => {
    for (let seed = 0; seed < 24; seed++) {
      const picture = sharp(Buffer.from(coverSvg(seed, { title: 'Paper Lanterns', artist: 'Lena Okoro' })))
      const { channels } = await picture.stats()
      expect(await picture.metadata()).toMatchObject({ width: 640, height: 640 })
      expect(Math.max(...channels.map((channel) => channel.stdev))).toBeGreaterThan(10)
    }
  })
})
