import { useLocalStorage } from '@mantine/hooks'
import type { Column, TableProps } from './ResourceTable.tsx'

/** The width that is left for the column with the width 'auto' if all others do not fit, in px. */
const MIN_AUTO_WIDTH = 200

/** The columns of a table that are shown: what the user has chosen, otherwise those that fit in its width. */
export function useColumnChoice<Row>({ name, columns }: TableProps<Row>, width: number) {
  /** The ids of hidden columns; with a “+” before it, of one that is shown however narrow the table is. */
  const [choices, setChoices] = useLocalStorage<string[]>({
    key: `dubplate.hidden-columns.${name}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const fits = ({ isOptional, showFrom = 0 }: Column<Row>) => !isOptional && width >= showFrom
  const isShown = (column: Column<Row>) =>
    choices.includes(`+${column.id}`) || (fits(column) && !choices.includes(column.id))
  const show = (id: string, isOn: boolean) => {
    const others = choices.filter((each) => each !== id && each !== `+${id}`)
    const column = columns.find((each) => each.id === id)
    if (!isOn) setChoices([...others, id])
    else setChoices(column && fits(column) ? others : [...others, `+${id}`])
  }
  const isForced = choices.some((each) => each.startsWith('+'))
  const widths = columns.filter(isShown).map(({ width }) => (width === 'auto' ? MIN_AUTO_WIDTH : width))
  return { isShown, show, minWidth: isForced ? widths.reduce((sum, each) => sum + each, 0) : undefined }
}
