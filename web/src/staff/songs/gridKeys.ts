/** A cell position: row and column, from 0. */
export type Place = { row: number; col: number }

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }

const PAGE_ROWS = 10

/** The position a key moves to, as in a spreadsheet; undefined for keys that do not move. */
export function placeAfter(
  { row, col }: Place,
  pressed: Pressed,
  { rows, cols }: { rows: number; cols: number },
): Place | undefined {
  const isFar = pressed.ctrlKey || pressed.metaKey
  const to: Place | undefined = {
    ArrowUp: { row: isFar ? 0 : row - 1, col },
    ArrowDown: { row: isFar ? rows - 1 : row + 1, col },
    ArrowLeft: { row, col: isFar ? 0 : col - 1 },
    ArrowRight: { row, col: isFar ? cols - 1 : col + 1 },
    Home: { row: isFar ? 0 : row, col: 0 },
    End: { row: isFar ? rows - 1 : row, col: cols - 1 },
    PageUp: { row: row - PAGE_ROWS, col },
    PageDown: { row: row + PAGE_ROWS, col },
  }[pressed.key]
  return to && within(to, rows, cols)
}

const within = ({ row, col }: Place, rows: number, cols: number): Place => ({
  row: Math.max(0, Math.min(row, rows - 1)),
  col: Math.max(0, Math.min(col, cols - 1)),
})

/** Whether a key types a character: it starts editing the cell with it. */
export const isWriting = ({ key, ctrlKey, metaKey }: Pressed): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey

/** The ids of all rows between two rows, both included, in order. */
export function between(ids: readonly number[], one: number, other: number): number[] {
  const [from, to] = [ids.indexOf(one), ids.indexOf(other)].sort((a, b) => a - b) as [number, number]
  return from < 0 ? [other] : ids.slice(from, to + 1)
}
