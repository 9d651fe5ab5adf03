import { useNavigate, useSearch } from '@tanstack/react-router'

type Id = string | number

/** The row whose details are open, from the URL, and what `ResourceTable` and `SidePanel` need to open and close it. */
export function useOpenRow<Row>(rows: readonly Row[] | undefined, idOf: (row: Row) => Id) {
  const { open: openId } = useSearch({ strict: false }) as { open?: string }
  const navigate = useNavigate()
  const show = (row: Row | undefined, replace: boolean) =>
    void navigate({
      to: '.',
      search: ((was: object) => ({ ...was, open: row && idOf(row) })) as never,
      replace,
      resetScroll: false,
    })
  const at = rows?.findIndex((row) => String(idOf(row)) === openId) ?? -1
  const openBeside = (step: number) => {
    const row = rows?.[at + step]
    return row && (() => show(row, true))
  }
  const row = rows?.[at]
  return {
    row,
    tableProps: { onOpen: (row: Row) => show(row, at >= 0), openId: row && idOf(row) },
    panelProps: { onClose: () => show(undefined, true), onPrevious: openBeside(-1), onNext: openBeside(1) },
  }
}
