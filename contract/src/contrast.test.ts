import { describe, expect, test } from 'vitest'
import {
  blend,
  contrastOf,
  contrastPairs,
  DARK_MODE,
  isReadable,
  LIGHT_MODE,
  luminanceOf,
  meetsContrast,
  nearestReadable,
} from './contrast.ts'

test('calculates contrast as defined by WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrastOf('#ffffff', '#0000ff')).toBeCloseTo(8.59, 2)
  expect(contrastOf('#ff0000', '#ffffff')).toBeCloseTo(4.0, 2)
  expect(contrastOf('#abcdef', '#abcdef')).toBe(1)
  expect(luminanceOf('#00ff00')).toBeCloseTo(0.7152, 5)
})

test('blends a half-transparent colour to the middle of the two colours', () => {
  expect(blend('#ffffff', '#000000', 0.5)).toBe('#808080')
  expect(blend('#c8f135', '#0c0d10', 1)).toBe('#c8f135')
})

test('default colours pass', () => {
  expect(contrastPairs('night', '#c8f135').filter((pair) => !meetsContrast(pair))).toEqual([])
  expect(contrastPairs('day', '#476500').filter((pair) => !meetsContrast(pair))).toEqual([])
})

describe('a colour that is not readable', () => {
  const hues = ['#1a2b6d', '#ff2d55', '#7a00cc', '#008844', '#0000ff', '#777777', '#000000', '#ffffff', '#ffe600']

  test.each(hues)('%s has a readable colour close to it, in dark and in light mode', (colour) => {
    for (const time of ['night', 'day'] as const) {
      const near = nearestReadable(time, colour)
      expect(contrastPairs(time, near).filter((pair) => !meetsContrast(pair))).toEqual([])
      if (isReadable(time, colour)) expect(near).toBe(colour)
    }
  })

  test('changes a colour only as much as necessary: the next darker one fails', () => {
    const near = nearestReadable('night', '#1a2b6d')
    expect(isReadable('night', '#1a2b6d')).toBe(false)
    expect(isReadable('night', blend('#000000', near, 0.03))).toBe(false)
    // It is still blue.
    expect(Number.parseInt(near.slice(5), 16)).toBeGreaterThan(Number.parseInt(near.slice(1, 3), 16))
  })

  test('no single colour is readable as text on both backgrounds', () => {
    for (const colour of hues) expect(isReadable('night', colour) && isReadable('day', colour)).toBe(false)
  })
})

test('text of every kind is readable on the background of a selected item, with any accent', () => {
  for (const accent of ['#ffffff', '#ffe600', '#8fb4ff'])
    expect(contrastOf('#858d99', blend(accent, DARK_MODE.page, 0.1))).toBeGreaterThanOrEqual(4.5)
  for (const accent of ['#000000', '#1a2b6d', '#476500'])
    expect(contrastOf('#5f6875', blend(accent, LIGHT_MODE.page, 0.1))).toBeGreaterThanOrEqual(4.5)
})
