import { Anchor, Box, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import * as texts from './texts.ts'

/** Adds songs by pasted links or ids, such as from a message. */
export function PasteSongs({ onPaste }: { onPaste: (text: string) => Promise<void> }) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const add = async () => {
    await onPaste(text)
    setText('')
    setOpen(false)
  }
  if (!isOpen)
    return (
      <Anchor
        component="button"
        type="button"
        fz="sm"
        mih={28}
        c="var(--text-2)"
        td="underline"
        onClick={() => setOpen(true)}
      >
        {texts.pasteSongLinks}
      </Anchor>
    )
  return (
    <Box flex="1 0 100%">
      <Textarea
        label={texts.songLinksOrIds}
        autoFocus
        rows={4}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group gap="sm" mt="sm">
        <Button variant="primary" disabled={text.trim() === ''} onClick={() => void add()}>
          {texts.addSongs}
        </Button>
        <Button onClick={() => setOpen(false)}>{texts.cancel}</Button>
      </Group>
    </Box>
  )
}
