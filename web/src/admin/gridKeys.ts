/** The position of a cell: row and column, from 0. */
export type CellPosition = { row: number; col: number }

type KeyPress = { key: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean }

const PAGE_ROWS = 10

/** The position a key moves to, as in a spreadsheet; undefined for keys that do not move. */
export function positionAfter(
  { row, col }: CellPosition,
  pressed: KeyPress,
  { rows, cols }: { rows: number; cols: number },
): CellPosition | undefined {
  const isFar = pressed.ctrlKey || pressed.metaKey
  const to: CellPosition | undefined = {
    ArrowUp: { row: isFar ? 0 : row - 1, col },
    ArrowDown: { row: isFar ? rows - 1 : row + 1, col },
    ArrowLeft: { row, col: isFar ? 0 : col - 1 },
    ArrowRight: { row, col: isFar ? cols - 1 : col + 1 },
    Home: { row: isFar ? 0 : row, col: 0 },
    End: { row: isFar ? rows - 1 : row, col: cols - 1 },
    PageUp: { row: row - PAGE_ROWS, col },
    PageDown: { row: row + PAGE_ROWS, col },
  }[pressed.key]
  return to && clamp(to, rows, cols)
}

const clamp = ({ row, col }: CellPosition, rows: number, cols: number): CellPosition => ({
  row: Math.max(0, Math.min(row, rows - 1)),
  col: Math.max(0, Math.min(col, cols - 1)),
})
