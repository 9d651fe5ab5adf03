import '../styles/mantine-layout.css'
import { Group, Text, Title } from '@mantine/core'
import { DIG_KEYS } from '../digging/digKeys.ts'
import { history } from '../platform/address.ts'
import { KEYS } from '../player/shortcuts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import * as texts from './texts.ts'

/** The dialog that lists the keyboard shortcuts, those of the open screen first. */
export function Keys({ onClose }: { onClose: () => void }) {
  const isDigging = history.location.pathname.startsWith('/dig/')
  const general = <KeyList keys={KEYS} />
  return (
    <Dialog title={texts.keyboardShortcuts} onClose={onClose}>
      {!isDigging && general}
      <Title order={3} fz="md" mt={isDigging ? 0 : 'lg'} mb="xs">
        {texts.whileDigging}
      </Title>
      <KeyList keys={DIG_KEYS} />
      {isDigging && (
        <Title order={3} fz="md" mt="lg" mb="xs">
          {texts.onOtherScreens}
        </Title>
      )}
      {isDigging && general}
    </Dialog>
  )
}

const KeyList = ({ keys }: { keys: typeof KEYS }) => (
  <dl style={{ margin: 0 }}>
    {keys.map(({ keys, description }, at) => (
      <Group key={keys} gap="md" wrap="nowrap" py={6} style={{ borderTop: at > 0 ? '1px solid var(--line)' : 0 }}>
        <Text component="dt" flex="none" w={148} fz="sm" fw={560} lh={1.4}>
          <kbd style={{ font: 'inherit' }}>{keys}</kbd>
        </Text>
        <Text component="dd" m={0} lh={1.4} c="var(--text-2)">
          {description}
        </Text>
      </Group>
    ))}
  </dl>
)
