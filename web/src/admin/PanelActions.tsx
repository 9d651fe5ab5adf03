import { Button, Group } from '@mantine/core'
import { actionsFor, type RowAction } from './RowMenu.tsx'

type Props<Row> = {
  row: Row
  actions: readonly RowAction<Row>[]
  /** The keys of the actions that are shown, the main one first. */
  keys: readonly string[]
}

/** Actions of a row as buttons in its side panel. The first action of the list is the main one. */
export const PanelActions = <Row,>({ row, actions, keys }: Props<Row>) => (
  <Group gap="sm">
    {actionsFor(row, actions)
      .filter(({ key }) => key && keys.includes(key))
      .map(({ label, icon: Icon, key, run }) => (
        <Button
          key={label}
          variant={key === keys[0] ? 'filled' : 'default'}
          leftSection={<Icon size={16} />}
          onClick={() => run(row)}
        >
          {label}
        </Button>
      ))}
  </Group>
)
